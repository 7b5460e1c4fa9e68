import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { keyRights } from '@befaqt/domain/rights'
import { and, eq, isNull } from 'drizzle-orm'
import { inDataDir } from '#server/config/data-dir.ts'
import { advisoryLocks, lockUntilCommit } from '#server/db/advisory-locks.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { apiKeys } from '#server/db/schema/accounts.ts'
import { SYSTEM } from '#server/identity/principal.ts'
import type { AccountDeps } from './account.ts'
import { API_KEY_PREFIX, createApiKey, newApiKey } from './api-keys.ts'
import { ensureFirstAdmin } from './sign-up/first-admin.ts'
import { hashToken } from './tokens.ts'

/**
 * Ensures at every start that there is an operator key, and a first administrator or the link to set one up.
 * @param alone no other machine uses this database
 * @param print writes to the terminal; not to the log, which others may read
 * @param keepLink the link that was printed before stays
 */
export async function bootstrapAccounts(
  deps: AccountDeps,
  alone: boolean,
  print: (text: string) => void,
  keepLink = false,
): Promise<void> {
  await ensureOperatorKey(deps, alone)
  const link = await ensureFirstAdmin(deps, keepLink)
  if (link !== undefined)
    print(`\nThere is no administrator yet. Set one up here, once, within a day:\n${link}\n`)
}

/** File in DATA_DIR that the command-line tools read. */
const OPERATOR_KEY_FILE = 'operator.key'
/** The id of this key, in a file of its own, so that the key of a removed file can be revoked. */
const KEY_ID_FILE = 'operator.key.id'
const WELL_FORMED = new RegExp(`^${API_KEY_PREFIX}[\\w-]{43}$`)

/**
 * Makes sure that DATA_DIR/operator.key holds a working key with every right, this machine's own. Without the file a
 * new one is made, and the one that this machine had is revoked; those of other machines on the same database are
 * left alone. A file that belongs to another database is adopted. Source: running.md 'Keys'.
 * @param alone the database is embedded, so no other machine uses it
 */
export async function ensureOperatorKey(deps: AccountDeps, alone: boolean): Promise<void> {
  const path = join(deps.config.DATA_DIR, OPERATOR_KEY_FILE)
  const idPath = join(deps.config.DATA_DIR, KEY_ID_FILE)
  let formerId: string | undefined
  await deps.db.transaction(async (tx) => {
    await lockUntilCommit(tx, advisoryLocks.operatorKey)
    const present = await readLine(path)
    formerId ??= await readLine(idPath) // what it was before a try that was rolled back wrote the file
    const [known] = await tx
      .select()
      .from(apiKeys)
      .where(eq(apiKeys.hash, hashToken(present)))
    if (known !== undefined && known.revokedAt === null) {
      if (formerId !== known.id) await writeWhole(idPath, `${known.id}\n`)
      await giveAllRights(tx, known)
      return
    }
    const key = WELL_FORMED.test(present) && known === undefined ? present : newApiKey()
    const former = alone ? eq(apiKeys.createdBy, SYSTEM) : eq(apiKeys.id, formerId)
    await revoke(tx, deps.now(), former)
    const name = `operator at ${hostname()}`.slice(0, 80)
    const made = await createApiKey(tx, { name, rights: [...keyRights] }, SYSTEM, deps.now(), key)
    await writeWhole(idPath, `${made.id}\n`)
    if (key !== present) await writeWhole(path, `${key}\n`)
    deps.log.info({ key: made.id, name, file: path }, 'created the operator key of this machine')
  })
}

/** A key of an older version lacks the rights that came since. */
async function giveAllRights(
  tx: Tx,
  { id, createdBy, rights: had }: typeof apiKeys.$inferSelect,
): Promise<void> {
  if (createdBy !== SYSTEM || keyRights.every((right) => had.includes(right))) return
  await tx
    .update(apiKeys)
    .set({ rights: [...keyRights] })
    .where(eq(apiKeys.id, id))
}

const revoke = (tx: Tx | Db, now: Date, which: ReturnType<typeof eq>) =>
  tx
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(which, eq(apiKeys.createdBy, SYSTEM), isNull(apiKeys.revokedAt)))

const readLine = (path: string): Promise<string> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  )

/** Writes atomically, readable by the owner only. */
async function writeWhole(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  await inDataDir(path, async () => {
    await writeFile(draft, content, { mode: 0o600, flush: true })
    await rename(draft, path)
  })
}
