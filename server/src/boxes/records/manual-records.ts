import {
  CatchProv,
  type CorrectableKind,
  type CorrectionInput,
  correctable,
  type Registration,
} from '@befaqt/domain/box'
import { someLines } from '@befaqt/domain/box-values'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_REASON } from '@befaqt/domain/limits'
import { type Clock, marketTime, rejectFutureTimes } from '@befaqt/domain/market-time'
import { genesisHead, toHex } from '@befaqt/provenance'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { lockBox } from '#server/boxes/box-access.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { toValidationError } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { addRecords, type RecordingDeps } from './add-records.ts'

/** Registers a box with its fisher. @throws ShopError `conflict` when there is such a box */
export async function registerBox(
  deps: RecordingDeps,
  principal: Principal,
  input: Registration,
): Promise<void> {
  await changeCatalogue(
    deps,
    (tx) => registerBoxIn(tx, deps, principal, input),
    ({ onCards }) => onCards,
  )
}

/**
 * As `registerBox`, in the caller's transaction.
 * @param at when it was registered, by default now
 */
export async function registerBoxIn(
  tx: CatalogueTx,
  deps: Pick<RecordingDeps, 'now' | 'siteFile'>,
  principal: Principal,
  { boxID, fisher }: Registration,
  { at = deps.now(), supplierId = null }: { at?: Date; supplierId?: string | null } = {},
): Promise<{ onCards: boolean }> {
  const created = await tx
    .insert(boxes)
    .values({ id: boxID, head: toHex(genesisHead(boxID)), supplierId })
    .onConflictDoNothing()
    .returning({ id: boxes.id })
  if (created.length === 0) throw new ShopError('conflict', `There is a box ${boxID} already.`)
  const time = marketTime(at.getTime(), deps.siteFile.market.timeZone)
  const fact = { kind: 'registration' as const, at: time, by: fisher.traderID, data: fisher }
  const { onCards } = await addRecords(tx, deps, boxID, [{ ...fact, changesFreshness: false }])
  await writeAuditEntry(tx, principal, 'box', boxID, { before: null, after: { fisher } })
  return { onCards }
}

/** A catch as it is entered: its transaction is ours to make. Wrap in `rejectFutureTimes`. */
export const NewCatch = CatchProv.omit({ txHash: true })

/**
 * Adds the catch of a box. Answers its place in the history.
 * @throws ShopError `box.not_found`, `box.sealed`, `conflict` when there is a catch, which can be corrected
 */
export async function addCatch(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  data: z.infer<typeof NewCatch>,
): Promise<number> {
  const { seq } = await changeCatalogue(
    deps,
    (tx) => addCatchIn(tx, deps, principal, boxID, data),
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  )
  return seq
}

/** As `addCatch`, in the caller's transaction. */
export async function addCatchIn(
  tx: CatalogueTx,
  deps: Pick<RecordingDeps, 'now' | 'siteFile'>,
  principal: Principal,
  boxID: string,
  data: z.infer<typeof NewCatch>,
): Promise<{ seq: number; onCards: boolean }> {
  await lockBox(tx, boxID)
  const before = await tx.$count(records, and(eq(records.boxId, boxID), eq(records.kind, 'catch')))
  if (before > 0)
    throw new ShopError('conflict', 'This box has a catch already. It can be corrected, with a reason.')
  const [fisher] = await tx
    .select({ body: records.body })
    .from(records)
    .where(and(eq(records.boxId, boxID), eq(records.kind, 'registration')))
  const by = FisherRecord.safeParse(JSON.parse(fisher?.body ?? 'null')).data?.by ?? data.boat
  const fact = { kind: 'catch' as const, at: data.time, by, data, changesFreshness: false }
  const { appended, onCards } = await addRecords(tx, deps, boxID, [fact])
  await writeAuditEntry(tx, principal, 'box', boxID, { before: {}, after: { catch: data } })
  return { seq: appended[0]?.seq ?? 0, onCards }
}

const FisherRecord = z.object({ by: z.string() })

/** Kinds of which freshness is computed. */
const assessed: readonly CorrectableKind[] = ['tracking', 'sensor-result', 'image-result', 'enose-result']

const isCorrectable = (kind: string): kind is CorrectableKind => Object.hasOwn(correctable, kind)

/**
 * Mends a record by a new one that names it; the old one stays. Answers the new one's place in the history.
 * @throws ShopError `box.not_found`, `box.sealed`, `input.invalid` with the path of every field that does not fit
 */
export async function correctRecord(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  { seq, reason, data }: CorrectionInput,
): Promise<number> {
  const { seq: made } = await changeCatalogue(
    deps,
    async (tx) => {
      await lockBox(tx, boxID)
      const { kind, said } = await recordAt(tx, boxID, seq)
      const { timeZone } = deps.siteFile.market
      const better = fitting(kind, data, { now: deps.now(), timeZone })
      const at = marketTime(deps.now().getTime(), timeZone)
      const correction = { corrects: seq, reason, data: better }
      const fact = { kind: 'correction' as const, at, by: actorId(principal), data: correction }
      const changesFreshness = assessed.includes(kind)
      const { appended, onCards } = await addRecords(tx, deps, boxID, [{ ...fact, changesFreshness }])
      const after = { record: seq, reason, data: better }
      await writeAuditEntry(tx, principal, 'box', boxID, { before: { data: said }, after })
      return { seq: appended[0]?.seq ?? 0, onCards }
    },
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  )
  return made
}

const Kept = z.object({ data: z.unknown() })

/** The record to be corrected. A correction is mended by another correction of the same record. */
async function recordAt(
  tx: Tx,
  boxID: string,
  seq: number,
): Promise<{ kind: CorrectableKind; said: unknown }> {
  const [row] = await tx
    .select()
    .from(records)
    .where(and(eq(records.boxId, boxID), eq(records.seq, seq)))
  if (row === undefined) throw fieldError('seq', 'There is no such record.')
  if (row.body === null) throw fieldError('seq', 'This record was withheld.')
  const { kind } = row
  if (kind === 'weight') throw fieldError('seq', 'Weigh the box again: the newest weight counts.')
  if (!isCorrectable(kind)) throw fieldError('seq', `A record of the kind ${kind} can’t be corrected.`)
  return { kind, said: Kept.parse(JSON.parse(row.body)).data }
}

/** The new payload as its kind has it. */
function fitting(kind: CorrectableKind, data: unknown, clock: Clock) {
  const parsed = rejectFutureTimes<z.ZodType<z.infer<(typeof correctable)[CorrectableKind]>>>(
    correctable[kind],
    clock,
  ).safeParse(data)
  if (parsed.success) return parsed.data
  const { fields } = toValidationError(parsed.error)
  const named = fields.map(({ path, message }) => ({ path: path === '' ? 'data' : `data.${path}`, message }))
  const words = named.map(({ path, message }) => `${path}: ${message}`).join('; ')
  throw new ShopError('input.invalid', words, { fields: named })
}

export const SealInput = z.strictObject({ reason: someLines(MAX_REASON).default('') }).prefault({})

/** Ends a box's history, with nothing on sale from it: nothing is added after. Answers the seal's place. @throws ShopError `box.not_found`, `box.sealed` */
export async function sealBox(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  reason: string,
): Promise<number> {
  const { seq } = await changeCatalogue(
    deps,
    async (tx) => {
      const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
      const data = reason === '' ? {} : { reason }
      const { offers } = await lockBox(tx, boxID)
      const fact = { at, by: actorId(principal), changesFreshness: false }
      const gone = Object.keys(offers).map((product) => ({
        ...fact,
        kind: 'offer' as const,
        data: { product, linked: false },
      }))
      const { appended, onCards } = await addRecords(tx, deps, boxID, [
        ...gone,
        { ...fact, kind: 'seal', data },
      ])
      await writeAuditEntry(tx, principal, 'box', boxID, {
        before: { sealed: false },
        after: { sealed: true, reason },
      })
      return { seq: appended.at(-1)?.seq ?? 0, onCards }
    },
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  )
  return seq
}
