import { createHash } from 'node:crypto'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_IDEMPOTENCY_KEY } from '@befaqt/domain/limits'
import { canonicalBytes } from '@befaqt/provenance'
import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { tryLockAllNamed } from '#server/db/advisory-locks.ts'
import type { Tx } from '#server/db/client.ts'
import { idempotencyKeys } from '#server/db/schema/orders.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId } from '#server/identity/principal.ts'

/** Hours for which a key and its response are stored. */
export const KEY_HOURS = 24

/** A request that may be repeated: the hashes of its key and of its content. */
export type RepeatableRequest = { keyHash: string; fingerprint: string }

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('base64url')

/** Reads the `Idempotency-Key` of a request. @throws ShopError `input.invalid` without a usable one */
export function repeatableRequest({
  headers,
  method,
  url,
  principal,
  body,
}: FastifyRequest): RepeatableRequest {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key.trim() === '')
    throw fieldError('Idempotency-Key', 'Send a header Idempotency-Key: an order is placed once for each.')
  if (key.length > MAX_IDEMPOTENCY_KEY)
    throw fieldError('Idempotency-Key', `An Idempotency-Key has at most ${MAX_IDEMPOTENCY_KEY} characters.`)
  const asked = `${method} ${url.split('?', 1)[0]} ${actorId(principal)} ${sha256(canonicalBytes(body))}`
  return { keyHash: sha256(key), fingerprint: sha256(asked) }
}

const isCurrent = sql<boolean>`${idempotencyKeys.createdAt} > clock_timestamp() - ${KEY_HOURS} * interval '1 hour'`

/** What became of a key: it is this transaction's, or the same request was answered before with this. */
export type Claim = 'ours' | { response: string }

/**
 * Claims keys, all different, in the transaction that does the work; `storeResponses` ends it. Nothing is written yet: a
 * request that is refused leaves its key free.
 * @returns for each its claim, or the ShopError `idempotency.running` while another transaction does the same request,
 *   `idempotency.differs` when the key was used for another one
 */
export async function claimKeys(
  tx: Tx,
  requests: readonly RepeatableRequest[],
): Promise<(Claim | ShopError)[]> {
  const hashes = requests.map(({ keyHash }) => keyHash)
  const free = await tryLockAllNamed(tx, 'repeatable', hashes)
  const { keyHash, fingerprint, response } = idempotencyKeys
  const found = await tx
    .select({ keyHash, fingerprint, response, isCurrent })
    .from(idempotencyKeys)
    .where(sql`${keyHash} = any(${sql.param(hashes)}::text[])`)
  const stored = new Map(found.filter(({ isCurrent }) => isCurrent).map((row) => [row.keyHash, row]))
  return requests.map(({ keyHash, fingerprint }) => {
    const before = stored.get(keyHash)
    if (before !== undefined && before.fingerprint !== fingerprint) return differs()
    if (before !== undefined) return { response: before.response }
    return free.has(keyHash) ? 'ours' : running()
  })
}

export const differs = (): ShopError =>
  new ShopError('idempotency.differs', 'This Idempotency-Key belongs to another request. Use a new one.')

const running = (): ShopError =>
  new ShopError('idempotency.running', 'This request is being worked on. Please try again.', {
    details: { retryAfterS: 1 },
  })

/** Stores the responses to claimed requests. They must have no personal data: they outlive a deleted account. */
export async function storeResponses(
  tx: Tx,
  answered: readonly (RepeatableRequest & { response: string })[],
): Promise<void> {
  if (answered.length === 0) return
  const createdAt = sql`clock_timestamp()`
  await tx
    .insert(idempotencyKeys)
    .values(answered.map((one) => ({ ...one, createdAt })))
    .onConflictDoUpdate({
      target: idempotencyKeys.keyHash,
      set: { fingerprint: sql`excluded.fingerprint`, response: sql`excluded.response`, createdAt },
    })
}
