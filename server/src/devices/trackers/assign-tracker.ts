import { ShopError } from '@befaqt/domain/errors'
import { instantOf } from '@befaqt/domain/market-time'
import type { Assignment, TrackerView } from '@befaqt/domain/tracker'
import { eq } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Market } from '#server/boxes/projection/box-summary.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { trackerAssignments, trackers } from '#server/db/schema/trackers.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Principal } from '#server/identity/principal.ts'
import { findTracker } from './read-trackers.ts'

export type TrackerDeps = { db: Db; now: () => Date; siteFile: { market: Market } }

/**
 * Says with which box a tracker travels from a time on, until its next assignment. The same time again replaces what was
 * said of it. Readings that were stored stay where they are.
 * @throws ShopError `not_found`, `input.invalid` for a box that is not there
 */
export async function assignTracker(
  { db, now, siteFile: { market } }: TrackerDeps,
  principal: Principal,
  id: string,
  { box, time }: Assignment,
): Promise<TrackerView> {
  const from = new Date(instantOf(time, market.timeZone) ?? now().getTime())
  return db.transaction(async (tx) => {
    const [known] = await tx.select().from(trackers).where(eq(trackers.id, id)).for('update')
    if (known === undefined) throw new ShopError('not_found', 'There is no such device.')
    if (box !== null) {
      const [there] = await tx.select({ id: boxes.id }).from(boxes).where(eq(boxes.id, box))
      if (there === undefined) throw fieldError('box', 'There is no such box.')
    }
    const before = await findTracker(tx, id, now())
    const { trackerId } = trackerAssignments
    await tx
      .insert(trackerAssignments)
      .values({ trackerId: id, from, boxId: box })
      .onConflictDoUpdate({ target: [trackerId, trackerAssignments.from], set: { boxId: box } })
    await writeAuditEntry(tx, principal, 'device', id, {
      before: { box: before?.assigned?.box ?? null, from: before?.assigned?.from ?? null },
      after: { box, from: from.toISOString() },
    })
    const after = await findTracker(tx, id, now())
    if (after === undefined) throw new Error('a tracker vanished while its row was locked')
    return after
  })
}
