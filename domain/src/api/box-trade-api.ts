import { z } from 'zod'
import { measures } from '../amount.ts'
import { BoxIDs } from '../box-values.ts'
import { DAY_MS } from '../durations.ts'
import { schemaNames } from '../fields.ts'

const day = z.iso.date('Days are written YYYY-MM-DD.')
const MAX_DAYS = 366

/** Of which boxes there is to be a document: those that are named, or those caught on these days of the market. */
export const tradeChoice = {
  from: day.optional().describe('first day of the catch, YYYY-MM-DD'),
  to: day.optional().describe('last day of the catch'),
  box: BoxIDs.optional(),
}
export type TradeChoice = { from?: string | undefined; to?: string | undefined; box?: string[] | undefined }

/** What is wrong with a choice, by field: it names boxes, or both days in their order, at most a year. */
export function checkChoice({ from, to, box }: TradeChoice, wrong: (field: string, message: string) => void) {
  if (box !== undefined) {
    if (from !== undefined || to !== undefined) wrong('box', 'Choose boxes or days, not both.')
    return
  }
  if (from === undefined) wrong('from', 'Choose the first and the last day, or boxes.')
  if (to === undefined) wrong('to', 'Choose the first and the last day, or boxes.')
  if (from === undefined || to === undefined) return
  if (to < from) wrong('to', 'The last day is before the first.')
  else if (Date.parse(to) - Date.parse(from) >= MAX_DAYS * DAY_MS)
    wrong('to', `Choose at most ${MAX_DAYS} days.`)
}

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
    /** What no record says, but follows from them: codes and the landing. */
    computed: z.array(z.string()),
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

/** What is left of a product in a box: in − sold − lost. */
export const BoxBalance = z
  .strictObject({
    product_id: z.string(),
    /** What its amounts are: a product whose unit changed may have both. */
    counted: z.enum(measures),
    in: z.int(),
    sold: z.int(),
    lost: z.int(),
    left: z.int(),
  })
  .register(schemaNames, { id: 'BoxBalance' })
export type BoxBalance = z.infer<typeof BoxBalance>
