import { API_KEY_PREFIX, authenticateApiKey } from '#server/accounts/index.ts'
import type { Db } from '#server/db/client.ts'
import { canAccessBox, hasRight, type Principal } from '#server/identity/principal.ts'
import { ALL_REFUSED, boxOfTopic } from './port.ts'

type ApiKeyPrincipal = Extract<Principal, { kind: 'key' }>
type DeviceDeps = { db: Db; now: () => Date }

/** The one user name; the key is the password. Source: running.md 'Records from the field'. */
const USER = 'key'
/** How long a key's lookup is reused: a revoked key is noticed by the next message after this. */
const RECHECK_MS = 1_000
/** A device that was offline for a day has 1,440 readings; a gateway that has more sends batches over HTTP. */
const MESSAGES_PER_SECOND = 200
const BURST = 2_000
/** Limit for memory; no key has so many boxes. */
const MAX_SUBSCRIPTIONS = 1_000

/** One connection of an authenticated device, and what it may do. */
export type Device = {
  readonly keyId: string
  /** Milliseconds by which to delay its next message. */
  readonly wait: () => number
  /** The box whose readings it may publish on this topic; undefined when it may not. */
  mayPublish(topic: string): Promise<string | undefined>
  /** May it subscribe to this topic? Each true counts toward the limit. */
  maySubscribe(topic: string): Promise<boolean>
  /** Is its key still valid? */
  holds(): Promise<boolean>
}

/** Authenticates a device by user name and password; undefined unless they are a key that may write records. */
export async function deviceOf(
  deps: DeviceDeps,
  user: string | undefined,
  key: string,
): Promise<Device | undefined> {
  if (user !== USER || !key.startsWith(API_KEY_PREFIX)) return undefined
  const authenticate = async (): Promise<ApiKeyPrincipal | undefined> => {
    const principal = await authenticateApiKey(deps.db, key, deps.now())
    return principal.kind === 'key' && hasRight(principal, 'record:write') ? principal : undefined
  }
  let principal = await authenticate()
  if (principal === undefined) return undefined
  const { keyId } = principal
  let checkedAt = deps.now().getTime()
  let checking: Promise<void> | undefined // all wait for it, so that no message overtakes another
  const current = async (): Promise<ApiKeyPrincipal | undefined> => {
    const now = deps.now().getTime()
    if (now - checkedAt >= RECHECK_MS) {
      checkedAt = now
      checking = authenticate()
        .then((found) => {
          principal = found
        })
        .finally(() => {
          checking = undefined
        })
    }
    await checking
    return principal
  }
  const subscriptions = new Set<string>()
  return {
    keyId,
    wait: messageRate(MESSAGES_PER_SECOND, BURST),
    async mayPublish(topic) {
      const box = boxOfTopic(topic, 'tracking')
      const key = await current()
      return box !== undefined && key !== undefined && canAccessBox(key, box) ? box : undefined
    },
    async maySubscribe(topic) {
      const key = await current()
      if (key === undefined || !canSubscribe(key, topic)) return false
      return subscriptions.add(topic).size <= MAX_SUBSCRIPTIONS
    },
    holds: async () => (await current()) !== undefined,
  }
}

/** Rejections of a box that the key has access to, or of all boxes for a key without a list of boxes. */
function canSubscribe(key: ApiKeyPrincipal, topic: string): boolean {
  if (topic === ALL_REFUSED) return key.boxes === null
  const box = boxOfTopic(topic, 'refused')
  return box !== undefined && canAccessBox(key, box)
}

/**
 * Rate limiter of one connection: each call counts one message and returns the milliseconds to delay it, so that at
 * most `perSecond` pass after a `burst`. Source: the generic cell rate algorithm, ITU-T I.371.
 */
export function messageRate(
  perSecond: number,
  burst: number,
  now: () => number = () => performance.now(),
): () => number {
  const step = 1000 / perSecond
  let due = Number.NEGATIVE_INFINITY
  return () => {
    const at = now()
    due = Math.max(due, at - burst * step) + step
    return Math.max(0, due - at)
  }
}
