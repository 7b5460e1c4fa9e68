import type { ApiKeyView, NewApiKey } from '@befaqt/domain/api-key'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/client.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { createApiKey, revokeApiKey } from './api-keys.ts'

type Managing = { db: Db; now: () => Date }

/** Makes a key and notes who did; the answer holds it, for the only time. */
export async function makeKey(
  { db, now }: Managing,
  principal: Principal,
  input: NewApiKey,
): Promise<ApiKeyView & { key: string }> {
  return db.transaction(async (tx) => {
    const made = await createApiKey(tx, input, actorId(principal), now())
    const { name, rights, boxes } = made
    await writeAuditEntry(tx, principal, 'key', made.id, { before: null, after: { name, rights, boxes } })
    return made
  })
}

/** Ends a key for good and notes who did. @throws ShopError `not_found`: unknown or revoked before */
export async function endKey({ db, now }: Managing, principal: Principal, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await revokeApiKey(tx, id, now())
    await writeAuditEntry(tx, principal, 'key', id, { before: { revoked: false }, after: { revoked: true } })
  })
}
