import type { Revocation } from '@befaqt/domain/device'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, isNull } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { devices } from '#server/db/schema/devices.ts'
import type { Principal } from '#server/identity/principal.ts'
import { appendEntry, type DeviceDeps, entryOf } from './enrol-device.ts'

/**
 * Revokes a key for good, and keeps why in the audit log: when this returns, no reading that it signed is stored any more, on open connections neither.
 * @throws ShopError `not_found`: unknown, or revoked before
 */
export async function revokeDevice(
  { db, now }: DeviceDeps,
  principal: Principal,
  id: string,
  { reason }: Revocation,
): Promise<void> {
  const revokedAt = now()
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(devices)
      .set({ revokedAt })
      .where(and(eq(devices.id, id), isNull(devices.revokedAt)))
      .returning()
    if (row === undefined)
      throw new ShopError('not_found', 'There is no such device, or it was revoked before.')
    await appendEntry(tx, principal, entryOf(row, revokedAt))
    await writeAuditEntry(tx, principal, 'device', id, {
      before: { revoked: false },
      after: { revoked: true, reason },
    })
  })
}
