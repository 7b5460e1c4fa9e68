import { ShopError } from '@befaqt/domain/errors'
import type { Handover } from '@befaqt/domain/handover'
import { isSameParty, partyOf } from '@befaqt/domain/supplier'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { lockBox } from '#server/boxes/lock-box.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import type { Tx } from '#server/db/client.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { addRecords, type RecordingDeps } from './add-records.ts'
import type { BoxRow } from './read-records.ts'

/**
 * Records that a box changed hands, or was refused. Returns the place of its record in the history.
 * @throws ShopError `box.not_found`, `box.sealed`, `conflict` when somebody else than `from` holds the box
 */
export async function addHandover(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  data: Handover,
): Promise<number> {
  const { seq } = await changeCatalogue(
    deps,
    (tx) => addHandoverIn(tx, deps, principal, boxID, data),
    ({ onCards }) => onCards,
  )
  return seq
}

/** As `addHandover`, in the caller's transaction. */
export async function addHandoverIn(
  tx: CatalogueTx,
  deps: Pick<RecordingDeps, 'now' | 'siteFile'>,
  principal: Principal,
  boxID: string,
  data: Handover,
): Promise<{ seq: number; onCards: boolean }> {
  const holder = await holderOf(tx, await lockBox(tx, boxID))
  if (!isSameParty(holder, data.from))
    throw new ShopError('conflict', `Box ${boxID} is held by ${holder}: only they can hand it over.`, {
      details: { holder },
    })
  const fact = { kind: 'handover' as const, at: data.time, by: actorId(principal), data }
  const { appended, onCards } = await addRecords(tx, deps, boxID, [{ ...fact, changesFreshness: false }])
  if (data.accepted) await tx.update(boxes).set({ holder: data.to.trim() }).where(eq(boxes.id, boxID))
  await writeAuditEntry(tx, principal, 'box', boxID, { before: {}, after: { handover: data } })
  return { seq: appended[0]?.seq ?? 0, onCards }
}

/** What suppliers and their phones may add readings to: boxes that they recorded or hold. */
export const isOwnBox = async (
  tx: Tx,
  box: BoxRow,
  { userId, party }: { userId: string; party: string },
): Promise<boolean> => box.supplierId === userId || isSameParty(await holderOf(tx, box), party)

/** Who holds a box that the caller has locked. */
async function holderOf(tx: Tx, box: BoxRow): Promise<string> {
  if (box.holder !== null) return box.holder
  const [found] = await tx
    .select({ body: records.body })
    .from(records)
    .where(and(eq(records.boxId, box.id), eq(records.kind, 'registration')))
  const fisher = Registered.safeParse(JSON.parse(found?.body ?? 'null')).data?.data
  return (fisher && partyOf(fisher)) || box.trader
}

const Registered = z.object({ data: z.object({ companyName: z.string(), traderName: z.string() }) })
