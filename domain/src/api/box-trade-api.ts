import { z } from 'zod'
import { schemaNames } from './schema-names.ts'

/** What a box's documents for the trade lack, in plain words. */
export const TradeView = z
  .strictObject({
    /** What the code on its label holds. */
    address: z.string(),
    /** Its number as a logistic unit; null without a company prefix. */
    sscc: z.string().nullable(),
    events: z.int(),
    lacking: z.array(
      z.strictObject({ step: z.string(), isRecorded: z.boolean(), words: z.array(z.string()) }),
    ),
  })
  .register(schemaNames, { id: 'TradeView' })
export type TradeView = z.infer<typeof TradeView>

/** A box of which documents are to be made: what each would not hold. */
export const TradeBox = z
  .strictObject({
    boxID: z.string(),
    species: z.string(),
    /** RFC 3339; null: no catch is recorded. */
    caughtAt: z.string().nullable(),
    events: z.int(),
    recalled: z.boolean(),
    /** What GDST requires and no record states. */
    lacking: z.array(z.string()),
    /** Columns of the spreadsheet for FSMA 204 that stay blank. */
    blank: z.array(z.string()),
  })
  .register(schemaNames, { id: 'TradeBox' })
export type TradeBox = z.infer<typeof TradeBox>

/** What is left of a product in a box: in − sold − lost. In grams, or in pieces for what is sold by the piece. */
export const BoxBalance = z
  .strictObject({
    product_id: z.string(),
    /** What its amounts are: a product whose unit changed may have both. */
    counted: z.enum(['grams', 'pieces']),
    in: z.int(),
    sold: z.int(),
    lost: z.int(),
    left: z.int(),
  })
  .register(schemaNames, { id: 'BoxBalance' })
export type BoxBalance = z.infer<typeof BoxBalance>
