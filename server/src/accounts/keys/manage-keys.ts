import type { ApiKeyView, NewApiKey } from '@befaqt/domain/api-key'
import { writeChange } from '#server/audit/write-change.ts'
import type { Deps } from '#server/deps.ts'
import { type Asker, whoOf } from '#server/identity/principal.ts'
import { createApiKey, revokeApiKey } from './api-keys.ts'

type Managing = Pick<Deps, 'db' | 'now'>

/** Makes a key and notes who did; the answer holds it, for the only time. */
export async function makeKey(
  { db, now }: Managing,
  asker: Asker,
  input: NewApiKey,
): Promise<ApiKeyView & { key: string }> {
  return db.transaction(async (tx) => {
    const made = await createApiKey(tx, input, whoOf(asker), now())
    const { name, rights, boxes } = made
    await writeChange(tx, asker, 'key', made.id, { before: null, after: { name, rights, boxes } })
    return made
  })
}

/** Ends a key for good and notes who did. @throws ShopError `not_found`: unknown or revoked before */
export async function endKey({ db, now }: Managing, asker: Asker, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await revokeApiKey(tx, id, now())
    await writeChange(tx, asker, 'key', id, { before: { revoked: false }, after: { revoked: true } })
  })
}
