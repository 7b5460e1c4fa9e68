import { ShopError } from '@befaqt/domain/errors'
import { instantOf } from '@befaqt/domain/market-time'
import { type Handover, isSameParty, partyOf } from '@befaqt/domain/supplier'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { lockBox } from '#server/boxes/box-access.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import type { BoxRow } from '../read-records.ts'
import { addRecords, type RecordingDeps } from './add-records.ts'

/** What becomes of receivers' claims and of the readings that they sent, once a hand-over is recorded. It is of suppliers. */
export type TakesUpClaims = {
  takeUpClaims: (
    tx: CatalogueTx,
    deps: Pick<RecordingDeps, 'now' | 'siteFile'>,
    boxID: string,
    data: Handover,
    seq: number,
  ) => Promise<{ onCards: boolean }>
}

/**
 * Records that a box changed hands, or was refused. Returns the place of its record in the history.
 * @throws ShopError `box.not_found`, `box.sealed`, `conflict` when somebody else than `from` holds the box
 */
export async function addHandover(
  deps: RecordingDeps & TakesUpClaims,
  principal: Principal,
  boxID: string,
  data: Handover,
): Promise<number> {
  const { seq } = await changeCatalogue(
    deps,
    (tx) => addHandoverIn(tx, deps, principal, boxID, data),
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  )
  return seq
}

/** As `addHandover`, in the caller's transaction. */
export async function addHandoverIn(
  tx: CatalogueTx,
  deps: Pick<RecordingDeps, 'now' | 'siteFile'> & TakesUpClaims,
  principal: Principal,
  boxID: string,
  data: Handover,
): Promise<{ seq: number; onCards: boolean }> {
  const holder = holderIn(await custodyOf(tx, await lockBox(tx, boxID), deps.siteFile.market.timeZone))
  if (!isSameParty(holder, data.from))
    throw new ShopError('conflict', `Box ${boxID} is held by ${holder}: only they can hand it over.`, {
      details: { holder },
    })
  const fact = { kind: 'handover' as const, at: data.time, by: actorId(principal), data }
  const { appended, onCards } = await addRecords(tx, deps, boxID, [{ ...fact, changesFreshness: false }])
  const seq = appended[0]?.seq ?? 0
  if (data.accepted) await tx.update(boxes).set({ holder: data.to.trim() }).where(eq(boxes.id, boxID))
  await writeAuditEntry(tx, principal, 'box', boxID, { before: {}, after: { handover: data } })
  const taken = await deps.takeUpClaims(tx, deps, boxID, data, seq)
  return { seq, onCards: onCards || taken.onCards }
}

/** A supplier, as far as it matters to whom a box belongs. */
type Party = { userId: string; party: string }

/**
 * That somebody held a box: from an instant, in milliseconds since 1970, to that of the next one. `seq`: the place of
 * the hand-over to them, or of the registration.
 */
type Spell = { party: string; since: number; seq: number }
/** Spells, one after the other. */
export type Custody = [Spell, ...Spell[]]

const Registered = z.object({ data: z.object({ companyName: z.string(), traderName: z.string() }) })
const HandedOver = z.object({
  data: z.object({ time: z.string(), to: z.string(), accepted: z.boolean() }),
})

/**
 * Who held a box that the caller has locked, one after the other: whoever recorded it, then the receivers of its
 * accepted hand-overs. A hand-over that was said for an earlier time than the one before it counts from that one's.
 */
export async function custodyOf(tx: Tx, box: BoxRow, timeZone: string): Promise<Custody> {
  const found = await tx
    .select({ seq: records.seq, kind: records.kind, body: records.body })
    .from(records)
    .where(and(eq(records.boxId, box.id), inArray(records.kind, ['registration', 'handover'])))
    .orderBy(asc(records.seq))
  const registration = found.find(({ kind }) => kind === 'registration')
  const fisher = Registered.safeParse(JSON.parse(registration?.body ?? 'null')).data?.data
  const spells: Custody = [
    {
      party: (fisher && partyOf(fisher)) || box.trader,
      since: Number.NEGATIVE_INFINITY,
      seq: registration?.seq ?? 0,
    },
  ]
  if (box.holder === null) return spells // of an imported box: nobody here handed it over
  for (const { kind, body, seq } of found) {
    const said = HandedOver.safeParse(JSON.parse(body ?? 'null')).data?.data
    if (kind !== 'handover' || !said?.accepted) continue
    const before = lastOf(spells).since
    spells.push({ party: said.to, since: Math.max(instantOf(said.time, timeZone) ?? before, before), seq })
  }
  return spells
}

/** That of whoever holds the box now. */
export const lastOf = (spells: Custody): Spell => spells.at(-1) ?? spells[0]

/** Who holds a box now. */
export const holderIn = (spells: Custody): string => lastOf(spells).party

/** Does this supplier hold the box now? Who recorded it does until the first hand-over, under whatever name. */
export const isHolder = (spells: Custody, box: BoxRow, who: Party): boolean =>
  (spells.length === 1 && box.supplierId === who.userId) || isSameParty(holderIn(spells), who.party)

/**
 * What suppliers and their phones may add a reading to: boxes that they held at its time. The second of a hand-over is
 * both sides'.
 * @param time as records have it
 */
export function heldAt(
  spells: Custody,
  box: BoxRow,
  { userId, party }: Party,
  time: string,
  timeZone: string,
): boolean {
  const at = Math.floor((instantOf(time, timeZone) ?? Number.POSITIVE_INFINITY) / 1000)
  return spells.some((spell, i) => {
    const until = spells[i + 1]?.since ?? Number.POSITIVE_INFINITY
    const isTheirs = isSameParty(spell.party, party) || (i === 0 && box.supplierId === userId)
    return isTheirs && Math.floor(spell.since / 1000) <= at && at <= Math.floor(until / 1000)
  })
}
