import type { Registration } from '@befaqt/domain/box'
import { CatchProv } from '@befaqt/domain/box'
import { ShopError } from '@befaqt/domain/errors'
import { marketTime } from '@befaqt/domain/market-time'
import { genesisHead, toHex } from '@befaqt/provenance'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { lockBox } from '#server/boxes/lock-box.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import type { Principal } from '#server/identity/principal.ts'
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
