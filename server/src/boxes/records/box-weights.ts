import type { BoxWeight } from '@befaqt/domain/box'
import { ShopError } from '@befaqt/domain/errors'
import { marketTime } from '@befaqt/domain/market-time'
import { type Weighed, weigh } from '@befaqt/provenance/balance'
import { kg } from '@befaqt/provenance/balance-messages'
import { lockBox } from '#server/boxes/box-access.ts'
import { affectsCatalogue, type CatalogueTx, changeCatalogue } from '#server/catalogue/index.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { addRecords, type RecordingDeps } from './add-records.ts'
import { promisedGrams, weighable } from './grams-left.ts'

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
  weight: BoxWeight,
): Promise<number> {
  const { seq } = await changeCatalogue(
    deps,
    (tx) => addWeightIn(tx, deps, principal, boxID, weight),
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  )
  return seq
}

/**
 * As `addWeight`, in the caller's transaction. `onCards`: less or more of a product may be sold now.
 * @param at when it was weighed, RFC 3339 or market time; by default now
 */
export async function addWeightIn(
  tx: CatalogueTx,
  deps: Pick<RecordingDeps, 'now' | 'siteFile'>,
  principal: Principal,
  boxID: string,
  {
    of,
    grams,
    scale,
    at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone),
  }: BoxWeight & {
    at?: string
  },
): Promise<{ seq: number; onCards: boolean }> {
  const data = { of, grams, ...(scale !== undefined && { scale }) }
  const { count } = await lockBox(tx, boxID)
  const before = await weighable(tx, boxID)
  const same = before.findLast((record) => record.kind === 'weight' && record.data.of === of)
  if (same?.data.grams === grams && same.data.scale === scale) return { seq: same.seq, onCards: false }
  if (!before.some(({ kind }) => kind === 'catch'))
    throw new ShopError('conflict', 'Record the catch first: fish that was not caught can’t be weighed.')
  const fact = { kind: 'weight' as const, at, by: actorId(principal), data }
  const after = weigh({ records: [...before, { v: 1, box: boxID, seq: count + 1, salt: '', ...fact }] })
  assertBelieved(after, await promisedGrams(tx, boxID))
  const { appended } = await addRecords(tx, deps, boxID, [{ ...fact, changesFreshness: false }])
  return { seq: appended[0]?.seq ?? 0, onCards: await affectsCatalogue(tx, [boxID]) }
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
