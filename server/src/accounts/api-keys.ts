import { randomUUID } from 'node:crypto'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { ApiKeyView, NewApiKey } from '@befaqt/domain/api-key'
import { ShopError } from '@befaqt/domain/errors'
import { type KeyRight, keyRights } from '@befaqt/domain/rights'
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { actorNames } from '#server/audit/history.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { apiKeys } from '#server/db/schema/accounts.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { actorId, anonymous, type Principal, SYSTEM } from '#server/identity/principal.ts'
import { hashToken, newToken } from './tokens.ts'

export const keyOperations = defineRoutes(endpoints, {
  listKeys: {
    summary: 'Keys of machines, without the keys themselves.',
    access: 'admin',
    limits: 'manage-read',
    responses: { 200: z.array(ApiKeyView) },
  },
  makeKey: {
    confirmed: true,
    summary: 'Create a key; it is returned this once.',
    access: 'admin',
    limits: 'manage-write',
    body: NewApiKey,
    responses: { 201: ApiKeyView.extend({ key: z.string() }) },
  },
  revokeKey: {
    summary: 'Revoke a key.',
    access: 'admin',
    limits: 'manage-write',
    responses: { 200: Message },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const keyReads = {
  listKeys: ({ db }) => listApiKeys(db),
} satisfies Reads<typeof keyOperations, { db: Db }>

/** Keys of machines, for administrators. Source: running.md 'Keys'. */
export function keyRoutes(app: FastifyInstance, deps: { db: Db; now: () => Date }): void {
  registerReads(app, keyOperations, keyReads, deps)
  registerRoute(app, keyOperations.makeKey, ({ principal, body }) => createKey(deps, principal, body))
  registerRoute(app, keyOperations.revokeKey, async ({ principal, params }) => {
    await revokeKey(deps, principal, params.id)
    return { message: 'The key was revoked.' }
  })
}

type Managing = { db: Db; now: () => Date }

/** Creates a key, with an audit entry, and returns it, the only time that it can be read. */
async function createKey(
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
async function revokeKey({ db, now }: Managing, principal: Principal, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await revokeApiKey(tx, id, now())
    await writeAuditEntry(tx, principal, 'key', id, { before: { revoked: false }, after: { revoked: true } })
  })
}

/** Distinguishes API keys from session tokens, and lets secret scanners find a leaked key. */
export const API_KEY_PREFIX = 'befaqt_'

const LAST_USED_RESOLUTION_MS = 60_000

type KeyRow = typeof apiKeys.$inferSelect

const rightsOf = (row: KeyRow): KeyRight[] => keyRights.filter((right) => row.rights.includes(right))

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
