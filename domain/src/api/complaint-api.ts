import { z } from 'zod'
import { MAX_CART_LINES } from '../cart.ts'
import {
  allRefundWays,
  allWishes,
  allWrongs,
  complaintActs,
  complaintStates,
  MAX_WORDS,
} from '../complaint.ts'
import { line, paragraph, schemaNames } from '../fields.ts'
import { orderStates } from '../order-states.ts'

/** RFC 3339. */
const moment = z.string()

/** Text of several lines that has to say something. */
const Words = paragraph('words', MAX_WORDS).refine((text) => text !== '', 'say it in a few words')

const isUnique = (list: readonly unknown[]): boolean => new Set(list).size === list.length

/** What a buyer says is wrong. `lines`: positions of lines of the order, from 1; none: the order as a whole. */
export const ComplaintInput = z.strictObject({
  lines: z
    .array(z.int('a line is a whole number').min(1).max(MAX_CART_LINES), 'lines must be a list')
    .max(MAX_CART_LINES)
    .refine(isUnique, 'a line is listed twice')
    .default([]),
  wrong: z
    .array(z.enum(allWrongs, `wrong must be one of ${allWrongs.join(', ')}`), 'wrong must be a list')
    .min(1, 'say what is wrong')
    .max(allWrongs.length)
    .refine(isUnique, 'the same is listed twice'),
  words: Words,
  wish: z.enum(allWishes, `wish must be one of ${allWishes.join(', ')}`),
})
export type ComplaintInput = z.infer<typeof ComplaintInput>

/** What a buyer does with a complaint: `words` say why it is opened again. */
export const ComplaintMove = z.discriminatedUnion(
  'act',
  [
    z.strictObject({ act: z.literal('withdraw') }),
    z.strictObject({ act: z.literal('reopen'), words: Words }),
  ],
  'act must be withdraw or reopen',
)
export type ComplaintMove = z.infer<typeof ComplaintMove>

const Cents = z.int('an amount is in whole cents').min(0, 'an amount is not less than nothing')

/**
 * What the shop does with a complaint. `refund`: what it promises to give back, in cents, in place of what it promised
 * before; absent: that stays as it is.
 */
export const ComplaintDecision = z.discriminatedUnion(
  'act',
  [
    z.strictObject({ act: z.literal('answer'), words: Words, refund: Cents.optional() }),
    z.strictObject({ act: z.literal('close') }),
    z.strictObject({
      act: z.literal('record refund'),
      way: z.enum(allRefundWays, `way must be one of ${allRefundWays.join(', ')}`),
    }),
    z.strictObject({ act: z.literal('undo refund') }),
    z.strictObject({ act: z.literal('check boxes'), found: line('what you found', 300) }),
    z.strictObject({ act: z.literal('undo check') }),
  ],
  'act must be answer, close, record refund, undo refund, check boxes or undo check',
)
export type ComplaintDecision = z.infer<typeof ComplaintDecision>

/** A complaint as the buyer of its order and the shop see it. */
export const ComplaintView = z
  .strictObject({
    _id: z.string(),
    status: z.enum(complaintStates),
    lines: z.array(z.int()),
    wrong: z.array(z.enum(allWrongs)),
    wish: z.enum(allWishes),
    /** What was written, the oldest first. Empty once who ordered is forgotten. */
    words: z.array(
      z.strictObject({
        by: z.enum(['buyer', 'shop']),
        /** Name of who wrote it for the shop; null for the buyer, and where buyers read it. */
        who: z.string().nullable(),
        text: z.string(),
        at: moment,
      }),
    ),
    photos: z.array(z.strictObject({ _id: z.string(), width: z.int(), height: z.int() })),
    /** Cents that the shop has promised to give back; null: none. */
    promised: z.int().nullable(),
    /** When and how it said that it gave them back; null: not yet. */
    refunded: z.strictObject({ at: moment, way: z.enum(allRefundWays) }).nullable(),
    /** Until when the buyer can open it again. */
    until: moment,
    /** What the caller may do with it. */
    acts: z.array(z.enum(complaintActs)),
    createdAt: moment,
    updatedAt: moment,
    version: z.int(),
  })
  .register(schemaNames, { id: 'Complaint' })
export type ComplaintView = z.infer<typeof ComplaintView>

/** Boxes of a complaint about freshness, and who looked at them. */
const BoxCheck = z.strictObject({
  boxes: z.array(z.string()),
  /** Null: nobody has yet. */
  checked: z.strictObject({ at: moment, who: z.string(), found: z.string() }).nullable(),
})

/** The complaints of an order, the newest first. */
export const OrderComplaints = z
  .strictObject({
    /** Can its buyer complain now? */
    open: z.boolean(),
    /** Until when. */
    until: moment,
    complaints: z.array(ComplaintView),
  })
  .register(schemaNames, { id: 'OrderComplaints' })
export type OrderComplaints = z.infer<typeof OrderComplaints>

/** A complaint as the shop works on it, beside its order. */
export const ManagedComplaint = ComplaintView.extend({
  /** Null: it is not about the freshness of anything. */
  check: BoxCheck.nullable(),
  /** Cents that can still be promised for it. */
  most: z.int(),
}).register(schemaNames, { id: 'ManagedComplaint' })
export type ManagedComplaint = z.infer<typeof ManagedComplaint>

/** Lists of complaints: open ones, or those with boxes that nobody has looked at. */
export const complaintFilters = [...complaintStates, 'check'] as const
export type ComplaintFilter = (typeof complaintFilters)[number]

/** A complaint in the list of them. */
export const ComplaintRow = z
  .strictObject({
    _id: z.string(),
    status: z.enum(complaintStates),
    wrong: z.array(z.enum(allWrongs)),
    wish: z.enum(allWishes),
    /** What the buyer wrote last, or its beginning; empty: it went with who ordered. */
    words: z.string(),
    photos: z.int(),
    /** Does somebody have to look at boxes? Which; none: it was packed from none. */
    isToCheck: z.boolean(),
    toCheck: z.array(z.string()),
    promised: z.int().nullable(),
    isRefunded: z.boolean(),
    createdAt: moment,
    order: z.strictObject({ _id: z.string(), number: z.string(), status: z.enum(orderStates) }),
  })
  .register(schemaNames, { id: 'ComplaintRow' })
export type ComplaintRow = z.infer<typeof ComplaintRow>

/** A page of the list. `next`: what the page after it is asked for with; null: there is none. */
export const ComplaintPage = z
  .strictObject({ rows: z.array(ComplaintRow), next: z.string().nullable() })
  .register(schemaNames, { id: 'ComplaintPage' })
export type ComplaintPage = z.infer<typeof ComplaintPage>

/** A complaint about what was packed from a box, without its buyer. */
export const BoxComplaint = z
  .strictObject({
    _id: z.string(),
    status: z.enum(complaintStates),
    wrong: z.array(z.enum(allWrongs)),
    titles: z.array(z.string()),
    order: z.strictObject({ _id: z.string(), number: z.string() }),
    createdAt: moment,
    checked: BoxCheck.shape.checked,
  })
  .register(schemaNames, { id: 'BoxComplaint' })
export type BoxComplaint = z.infer<typeof BoxComplaint>
