import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rights } from '@befaqt/domain/api-key'
import { and, eq, isNull } from 'drizzle-orm'
import { apiKeys } from '#server/db/schema/accounts.ts'
import type { AccountDeps } from './account-deps.ts'
import { API_KEY_PREFIX, createApiKey, newApiKey } from './api-keys.ts'
import { SYSTEM } from './asker.ts'
import { hashToken } from './tokens.ts'

/** File in DATA_DIR that the command-line tools read. */
export const OPERATOR_KEY_FILE = 'operator.key'
const OPERATOR = 'operator'
const WELL_FORMED = new RegExp(`^${API_KEY_PREFIX}[\\w-]{43}$`)

/**
 * Makes sure that DATA_DIR/operator.key holds a working key with every right. Without the file a new one is made
 * and the old one revoked; a file that another database wrote is taken over. Source: running.md 'Keys'.
 */
export async function ensureOperatorKey(deps: AccountDeps): Promise<void> {
  const path = join(deps.config.DATA_DIR, OPERATOR_KEY_FILE)
  const present = await readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  )
  const [known] = await deps.db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.hash, hashToken(present)))
  if (known !== undefined && known.revokedAt === null) return
  const key = WELL_FORMED.test(present) && known === undefined ? present : newApiKey()
  if (key !== present) await writeWhole(path, `${key}\n`)
  await deps.db.transaction(async (tx) => {
    const old = and(eq(apiKeys.name, OPERATOR), eq(apiKeys.createdBy, SYSTEM), isNull(apiKeys.revokedAt))
    await tx.update(apiKeys).set({ revokedAt: deps.now() }).where(old)
    await createApiKey(tx, { name: OPERATOR, rights: [...rights] }, SYSTEM, deps.now(), key)
  })
}

/** Readable by the owner alone, and never half written. */
async function writeWhole(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, content, { mode: 0o600, flush: true })
  await rename(draft, path)
}
