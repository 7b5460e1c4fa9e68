import { amountIn } from '@befaqt/domain/amount'
import type { BoxWeight } from '@befaqt/domain/box'
import { ShopError } from '@befaqt/domain/errors'
import { marketTime } from '@befaqt/domain/market-time'
import type { BoxRecord } from '@befaqt/provenance'
import { amountKinds } from '@befaqt/provenance/amounts'
import { type Weighed, weigh } from '@befaqt/provenance/balance'
import { kg } from '@befaqt/provenance/balance-messages'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { lockBox } from '#server/boxes/box-access.ts'
import { readableRecord } from '#server/boxes/read-records.ts'
import { changeCatalogue } from '#server/catalogue/index.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { records } from '#server/db/schema/boxes.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { addRecords, type RecordingDeps } from './add-records.ts'

/** What of a box's history its weight follows from, as whoever checks its proof reads it. */
async function weighable(tx: Tx, boxID: string): Promise<BoxRecord[]> {
  const kinds = ['catch', 'correction', ...amountKinds]
  const found = await tx
    .select()
    .from(records)
    .where(and(eq(records.boxId, boxID), inArray(records.kind, kinds)))
    .orderBy(asc(records.seq))
  return found.flatMap((row) => readableRecord(row) ?? [])
}

/** Grams that are assigned to orders that are not packed yet: no record says so. */
async function promisedGrams(tx: Tx, boxID: string): Promise<number> {
  const found = await rows<{ unit: string; amount: number }>(
    tx,
    sql`select l.unit, sum(b.amount)::float8 as amount from order_line_boxes b
        join orders o on o.id = b.order_id
        join order_lines l on l.order_id = b.order_id and l.position = b.position
        where b.box_id = ${boxID} and o.status = 'PLACED' group by l.unit`,
  )
  return found
    .map(({ unit, amount }) => amountIn(unit, amount))
    .reduce((sum, { value, unit }) => sum + (unit === 'grams' ? value : 0), 0)
}

/**
 * Grams that a box may still give, of all products together; null: it was never weighed, and only what is linked to it
 * bounds it. The box must be locked.
 */
export async function gramsLeft(tx: Tx, boxID: string): Promise<number | null> {
  const weighedKinds = and(eq(records.boxId, boxID), eq(records.kind, 'weight'))
  if ((await tx.$count(records, weighedKinds)) === 0) return null
  const { left } = weigh({ records: await weighable(tx, boxID) }).balance
  return left === null ? null : Math.max(0, left - (await promisedGrams(tx, boxID)))
}

/**
 * Records the net weight that went into a box; the newest counts. Answers its place in the history; the same weight again
 * is the record that says so already. A history that could not be believed with it refuses it: nothing takes it back.
 * @throws ShopError `box.not_found`, `box.sealed`, `conflict` without a catch, `input.invalid` for less than was sold, lost
 *   and promised, or for more in the box than was caught
 */
export async function addWeight(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  { of, grams, scale }: BoxWeight,
): Promise<number> {
  const data = { of, grams, ...(scale !== undefined && { scale }) }
  return changeCatalogue(
    deps,
    async (tx) => {
      const { count } = await lockBox(tx, boxID)
      const before = await weighable(tx, boxID)
      const same = before.findLast((record) => record.kind === 'weight' && record.data.of === of)
      if (same?.data.grams === grams && same.data.scale === scale) return same.seq
      if (!before.some(({ kind }) => kind === 'catch'))
        throw new ShopError('conflict', 'Record the catch first: fish that was not caught can’t be weighed.')
      const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
      const fact = { kind: 'weight' as const, at, by: actorId(principal), data }
      const after = weigh({ records: [...before, { v: 1, box: boxID, seq: count + 1, salt: '', ...fact }] })
      assertBelieved(after, await promisedGrams(tx, boxID))
      const { appended } = await addRecords(tx, deps, boxID, [{ ...fact, changesFreshness: false }])
      return appended[0]?.seq ?? 0
    },
    () => false,
    { boxes: [boxID] },
  )
}

function assertBelieved({ balance, problems }: Weighed, promised: number): void {
  const { total, sold, lost, caught } = balance
  const taken = sold + lost + promised
  const codes = problems.map(({ code }) => code)
  if (codes.includes('boxed_above_catch'))
    throw fieldError('grams', `${kg(caught ?? 0)} kg were caught: the box can’t hold so much more than that.`)
  if (total !== null && taken > total)
    throw fieldError('grams', `${kg(taken)} kg of this box are sold, lost or promised already.`)
  if (codes.length > 0)
    throw new ShopError('conflict', 'Weights would contradict what this box’s history says: see its records.')
}
