import type { ApiKeyView, NewApiKey } from '@befaqt/domain/api-key'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/client.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { createApiKey, revokeApiKey } from './api-keys.ts'

type Managing = { db: Db; now: () => Date }

/** Creates a key, with an audit entry, and returns it, the only time that it can be read. */
export async function createKey(
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

/** Revokes a key, with an audit entry. @throws ShopError `not_found`: unknown or already revoked */
export async function revokeKey({ db, now }: Managing, principal: Principal, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await revokeApiKey(tx, id, now())
    await writeAuditEntry(tx, principal, 'key', id, { before: { revoked: false }, after: { revoked: true } })
  })
}
