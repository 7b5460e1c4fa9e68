import { randomUUID } from 'node:crypto'
import { type ApiKeyView, type NewApiKey, type Right, rights } from '@befaqt/domain/api-key'
import { ShopError } from '@befaqt/domain/errors'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { hashToken, newToken } from '#server/accounts/tokens.ts'
import { actorNames } from '#server/audit/actor-names.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { apiKeys } from '#server/db/schema/accounts.ts'
import { anonymous, type Principal, SYSTEM } from '#server/identity/principal.ts'

/** Distinguishes API keys from session tokens, and lets secret scanners find a leaked key. */
export const API_KEY_PREFIX = 'befaqt_'

const LAST_USED_RESOLUTION_MS = 60_000

type KeyRow = typeof apiKeys.$inferSelect

const rightsOf = (row: KeyRow): Right[] => rights.filter((right) => row.rights.includes(right))

const viewOf = (row: KeyRow, names: ReadonlyMap<string, string>): ApiKeyView => ({
  id: row.id,
  name: row.name,
  rights: rightsOf(row),
  boxes: row.boxes,
  madeBy: row.createdBy === SYSTEM ? null : (names.get(row.createdBy ?? '') ?? row.createdBy),
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
})

export const newApiKey = (): string => `${API_KEY_PREFIX}${newToken()}`

/** Stores a new key and returns it, the only time that it can be read. `createdBy`: an actor id. */
export async function createApiKey(
  db: Db | Tx,
  input: NewApiKey,
  createdBy: string,
  now: Date,
  key: string = newApiKey(),
): Promise<ApiKeyView & { key: string }> {
  const kept = { ...input, boxes: input.boxes ?? null, hash: hashToken(key) }
  const written = { ...kept, id: randomUUID(), createdBy, createdAt: now }
  const [row] = await db.insert(apiKeys).values(written).returning()
  if (row === undefined) throw new Error('the key was not written')
  return { ...viewOf(row, await actorNames(db, [createdBy])), key }
}

/** All keys, newest first, revoked ones too. */
export async function listApiKeys(db: Db): Promise<ApiKeyView[]> {
  const found = await db.select().from(apiKeys).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
  const names = await actorNames(
    db,
    found.map(({ createdBy }) => createdBy ?? ''),
  )
  return found.map((row) => viewOf(row, names))
}

/** Revokes a key. @throws ShopError `not_found`: unknown or already revoked */
export async function revokeApiKey(db: Db | Tx, id: string, now: Date): Promise<void> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id })
  if (revoked.length === 0)
    throw new ShopError('not_found', 'There is no such key, or it was revoked before.')
}

/** The principal of an API key; anonymous when it is unknown or revoked. */
export async function authenticateApiKey(db: Db, key: string, now: Date): Promise<Principal> {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.hash, hashToken(key)), isNull(apiKeys.revokedAt)))
  if (row === undefined) return anonymous
  if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() > LAST_USED_RESOLUTION_MS)
    await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, row.id))
  const { id: keyId, boxes } = row
  return { kind: 'key', keyId, rights: rightsOf(row), boxes }
}
