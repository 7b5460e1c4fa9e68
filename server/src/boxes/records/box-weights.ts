import type { BoxWeight } from '@befaqt/domain/box'
import type { CoseSubmission } from '@befaqt/domain/device'
import { ShopError } from '@befaqt/domain/errors'
import { marketTime } from '@befaqt/domain/market-time'
import type { BoxRecord, JsonObject } from '@befaqt/provenance'
import { type Weighed, weigh } from '@befaqt/provenance/balance'
import { kg } from '@befaqt/provenance/balance-messages'
import { lockBox } from '#server/boxes/box-access.ts'
import { affectsCatalogue, type CatalogueTx, changeCatalogue } from '#server/catalogue/index.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { addRecords, type RecordingDeps } from './add-records.ts'
import { promisedGrams, weighable } from './grams-left.ts'
import {
  assertVouchedFor,
  readSignedWeight,
  recordedAs,
  type SignedWeight,
  type WeightFact,
} from './signed-weights.ts'

/**
 * Records the net weight that went into a box, typed or signed by a scale; the newest counts. Answers its place in the
 * history; the same weight again is the record that says so already. A history that could not be believed with it refuses
 * it: nothing takes it back.
 * @throws ShopError `box.not_found`, `box.sealed`, `conflict` without a catch, `input.invalid` for less than was sold, lost
 *   and promised, for more in the box than was caught, and for what no scale signed so
 */
export async function addWeight(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  weight: BoxWeight | CoseSubmission,
): Promise<number> {
  const clock = { now: deps.now(), timeZone: deps.siteFile.market.timeZone }
  const said = 'cose' in weight ? readSignedWeight(boxID, weight.cose, clock) : weight
  const { seq } = await changeCatalogue(
    deps,
    (tx) =>
      'weighing' in said
        ? addSignedIn(tx, deps, principal, boxID, said)
        : addWeightIn(tx, deps, principal, boxID, said),
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  )
  return seq
}

/** The record of a weight. `onCards`: less or more of a product may be sold now. */
type Added = { seq: number; onCards: boolean }

/**
 * As `addWeight` what is typed, in the caller's transaction.
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
): Promise<Added> {
  const data = { of, grams, ...(scale !== undefined && { scale }) }
  const { count } = await lockBox(tx, boxID)
  const before = await weighable(tx, boxID)
  const same = before.findLast((record) => record.kind === 'weight' && record.data.of === of)
  if (same?.data.grams === grams && isNoLess(same.data, scale)) return { seq: same.seq, onCards: false }
  return addFact(tx, deps, principal, boxID, { of, grams, at, data }, { before, count })
}

/** Is it known of this weight already who weighed it, as named here, or better where nobody is named? */
const isNoLess = (known: JsonObject, scale: string | undefined): boolean =>
  known.scale === scale || (scale === undefined && Object.hasOwn(known, 'weighed'))

async function addSignedIn(
  tx: CatalogueTx,
  deps: Pick<RecordingDeps, 'now' | 'siteFile'>,
  principal: Principal,
  boxID: string,
  weight: SignedWeight,
): Promise<Added> {
  const { count } = await lockBox(tx, boxID)
  const before = await weighable(tx, boxID)
  const same = recordedAs(before, weight)
  if (same !== undefined) return { seq: same.seq, onCards: false }
  await assertVouchedFor(tx, before, weight)
  return addFact(tx, deps, principal, boxID, weight, { before, count })
}

/** @param known what the box's weight follows from, and how many records it has */
async function addFact(
  tx: CatalogueTx,
  deps: Pick<RecordingDeps, 'now' | 'siteFile'>,
  principal: Principal,
  boxID: string,
  { at, data }: WeightFact,
  { before, count }: { before: readonly BoxRecord[]; count: number },
): Promise<Added> {
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
