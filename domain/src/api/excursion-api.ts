import { z } from 'zod'
import { paragraph, schemaNames } from '../fields.ts'
import { MAX_REASON } from '../limits.ts'
import { paged } from './box-api.ts'
import { BoxSaleView } from './recall-api.ts'

const moment = z.string()

/** What became of an excursion, as lists ask for it. */
export const excursionStates = ['open', 'ended', 'closed', 'withdrawn'] as const
export type ExcursionState = (typeof excursionStates)[number]

/** An alert about a box that managers work through. Times are RFC 3339. */
export const ExcursionRow = z
  .strictObject({
    id: z.string(),
    boxID: z.string(),
    species: z.string(),
    kind: z.enum(['warm', 'silent']),
    text: z.string(),
    since: moment,
    /** When it ended by itself; null: it goes on. */
    endedAt: moment.nullable(),
    peak: z.number().nullable(),
    peakAt: moment.nullable(),
    /** In °C; null for a silence. */
    limit: z.number().nullable(),
    /** Hours above the limit in total by its end, of those that grade it. */
    grade: z.union([z.literal(0), z.literal(2), z.literal(4)]),
    closedAt: moment.nullable(),
    closeReason: z.string().nullable(),
    /** Readings that came late, or a correction, show that it never was; or that it is part of `mergedInto`. */
    withdrawnAt: moment.nullable(),
    mergedInto: z.string().nullable(),
  })
  .register(schemaNames, { id: 'Excursion' })
export type ExcursionRow = z.infer<typeof ExcursionRow>

export const ExcursionPage = paged(ExcursionRow)

/** One excursion with what is behind it. */
export const ExcursionDetail = ExcursionRow.extend({
  /** Readings around it: time and °C, oldest first. */
  readings: z.array(z.strictObject({ at: moment, temperature: z.number() })),
  products: z.array(
    z.strictObject({ _id: z.string(), title: z.string(), status: z.string(), version: z.int() }),
  ),
  /** Whether its box is off sale. */
  sale: BoxSaleView,
  orders: z.array(z.strictObject({ _id: z.string(), number: z.string(), status: z.string() })),
  notes: z.array(z.strictObject({ text: z.string(), who: z.string(), at: moment })),
  notices: z.array(
    z.strictObject({
      id: z.string(),
      event: z.string(),
      address: z.string(),
      attempts: z.int(),
      deliveredAt: moment.nullable(),
      failedAt: moment.nullable(),
      cancelledAt: moment.nullable(),
      lastError: z.string().nullable(),
    }),
  ),
}).register(schemaNames, { id: 'ExcursionDetail' })
export type ExcursionDetail = z.infer<typeof ExcursionDetail>

const words = paragraph('text', MAX_REASON).refine((text) => text.length > 0, 'text is required')

/** A note, or the reason for closing. */
export const ExcursionText = z.strictObject({ text: words })
export type ExcursionText = z.infer<typeof ExcursionText>

/** The reason for closing, and whether the box that was taken off sale is put back on sale. */
export const ExcursionClosing = z.strictObject({ text: words, backOnSale: z.boolean().optional() })
export type ExcursionClosing = z.infer<typeof ExcursionClosing>

/** A limit; `species` '' is the shop's own. */
export const WarmLimitInput = z.strictObject({
  species: z.string().max(200).trim(),
  degrees: z.number('must be a number').min(-30, 'must be from -30 to 30').max(30, 'must be from -30 to 30'),
  minutes: z
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be from 1 to 1440')
    .max(1440, 'must be from 1 to 1440'),
})
export type WarmLimitInput = z.infer<typeof WarmLimitInput>

/** Who is notified. */
export const NewNoticeTarget = z.strictObject({
  kind: z.enum(['email', 'webhook'], { error: 'must be email or webhook' }),
  address: z.string('must be text').trim().min(1, 'is required').max(500, 'is too long'),
})
export type NewNoticeTarget = z.infer<typeof NewNoticeTarget>

const Target = z.strictObject({
  id: z.string(),
  kind: z.enum(['email', 'webhook']),
  address: z.string(),
  createdAt: moment,
  /** Messages that were given up. */
  failed: z.int(),
  lastError: z.string().nullable(),
})

/** A new target; `secret` of a webhook is shown this once. */
export const MadeNoticeTarget = z.strictObject({ id: z.string(), secret: z.string().nullable() })
export type MadeNoticeTarget = z.infer<typeof MadeNoticeTarget>

/** Limits and targets, as managers set them. */
export const ExcursionSettings = z.strictObject({ limits: z.array(WarmLimitInput), targets: z.array(Target) })
export type ExcursionSettings = z.infer<typeof ExcursionSettings>
