import { createHash } from 'node:crypto'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_IDEMPOTENCY_KEY } from '@befaqt/domain/limits'
import { canonicalBytes } from '@befaqt/provenance'
import { eq, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { tryLockNamed } from '#server/db/advisory-locks.ts'
import type { Db, Tx } from '#server/db/client.ts'
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

const isCurrent = sql`${idempotencyKeys.createdAt} > clock_timestamp() - ${KEY_HOURS} * interval '1 hour'`

/**
 * The response to the same request before, if there is one.
 * @throws ShopError `idempotency.differs` when the key was used for another request
 */
export async function storedResponse(
  db: Db | Tx,
  { keyHash, fingerprint }: RepeatableRequest,
): Promise<string | undefined> {
  const [found] = await db
    .select({ ...idempotencyColumns, isCurrent: sql<boolean>`${isCurrent}` })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.keyHash, keyHash))
  if (!found?.isCurrent) return undefined
  if (found.fingerprint !== fingerprint)
    throw new ShopError(
      'idempotency.differs',
      'This Idempotency-Key belongs to another request. Use a new one.',
    )
  return found.response
}

const idempotencyColumns = { fingerprint: idempotencyKeys.fingerprint, response: idempotencyKeys.response }

/**
 * Claims the key in the transaction that does the work; `storeResponse` ends it. Returns the response when the same
 * request was done meanwhile.
 * @throws ShopError `idempotency.running` while another transaction does it, `idempotency.differs`
 */
export async function claimKey(tx: Tx, request: RepeatableRequest): Promise<string | undefined> {
  const { keyHash, fingerprint } = request
  if (!(await tryLockNamed(tx, 'repeatable', keyHash)))
    throw new ShopError('idempotency.running', 'This request is being worked on. Please try again.', {
      details: { retryAfterS: 1 },
    })
  const before = await storedResponse(tx, request)
  if (before !== undefined) return before
  await tx
    .insert(idempotencyKeys)
    .values({ keyHash, fingerprint })
    .onConflictDoUpdate({
      target: idempotencyKeys.keyHash,
      set: { fingerprint, response: '', createdAt: sql`clock_timestamp()` },
    })
  return undefined
}

/** Stores the response to a claimed request. It must have no personal data: it outlives a deleted account. */
export async function storeResponse(tx: Tx, { keyHash }: RepeatableRequest, response: object): Promise<void> {
  await tx
    .update(idempotencyKeys)
    .set({ response: JSON.stringify(response) })
    .where(eq(idempotencyKeys.keyHash, keyHash))
}
