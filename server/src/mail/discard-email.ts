import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/client.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import type { Principal } from '#server/identity/principal.ts'
import { lockFailedEmail } from './failed-emails.ts'

/**
 * Discards a failed email: it is never sent.
 * @throws ShopError `not_found` when it was sent or discarded meanwhile, `conflict` while it is being sent
 */
export async function discardEmail(
  { db, now }: { db: Db; now: () => Date },
  principal: Principal,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { _id, to, letter, askedAt, tries, lastError, state } = await lockFailedEmail(tx, id, now())
    if (state === 'sending')
      throw new ShopError('conflict', 'This email is being sent right now. Check again in a minute.')
    await tx.delete(jobs).where(eq(jobs.id, Number(_id)))
    await writeAuditEntry(tx, principal, 'mail', _id, {
      before: { to, letter, askedAt, tries, lastError },
      after: null,
    })
  })
}
