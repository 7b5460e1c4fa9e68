import { z } from 'zod'
import { BoxIDs } from '../box-values.ts'
import { DAY_MS } from '../durations.ts'

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
