import { instantOf } from '@befaqt/domain/market-time'
import { isSameParty, partyOf } from '@befaqt/domain/supplier'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#server/db/client.ts'
import { records } from '#server/db/schema/boxes.ts'
import type { BoxRow } from './read-records.ts'

/** A supplier, as far as it matters to whom a box belongs. */
export type Party = { userId: string; party: string }

/**
 * That somebody held a box: from an instant, in milliseconds since 1970, to that of the next one. `seq`: the place of
 * the hand-over to them, or of the registration.
 */
export type Spell = { party: string; since: number; seq: number }
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
