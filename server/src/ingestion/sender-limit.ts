import { ShopError } from '@befaqt/domain/errors'
import { concurrencyLimiter } from '#server/http/limits/concurrency-limiter.ts'
import type { Principal } from '#server/identity/principal.ts'

/** Readings of one sender over HTTP, which come in batches. A gateway that was offline sends all of its backlog at once. */
const READINGS_PER_SECOND = 4_000
const BURST = 100_000
/** What a request counts at least, however few readings it has: 200 a second, as many as messages over MQTT. */
const LEAST_READINGS = 20
/** Batches of one sender that are stored at the same time, and that wait. */
const MAX_CONCURRENT = 8
const MAX_WAITING = 56
/** After this a batch counts as ended, so that one that hangs does not hold its place for good. */
const SLOT_MS = 120_000
/** Senders that are counted before those are dropped who have their whole burst again. */
const MAX_COUNTED = 1_000

/** Limits what one sender sends, so that a key that floods is rejected and does not delay others. */
export type SenderLimit = <Made>(
  principal: Principal,
  readings: number,
  work: () => Promise<Made>,
) => Promise<Made>

/**
 * The limits of each key, or of each account, in this process. They throw ShopError `rate.limited`, which says when to
 * send again; nothing of such a batch is stored or counted.
 */
export function senderLimit(now: () => number = () => performance.now()): SenderLimit {
  const wait = senderRate(now)
  const limiter = concurrencyLimiter(
    { maxConcurrent: MAX_CONCURRENT, maxWaiting: MAX_WAITING, slotMs: SLOT_MS },
    () => tooMany(1),
  )
  return (principal, readings, work) => {
    const sender = senderOf(principal)
    const waitMs = wait(sender, Math.max(readings, LEAST_READINGS))
    if (waitMs > 0) return Promise.reject(tooMany(Math.ceil(waitMs / 1_000)))
    return limiter(sender, work)
  }
}

const senderOf = (principal: Principal): string =>
  principal.kind === 'key'
    ? `key ${principal.keyId}`
    : principal.kind === 'user'
      ? `user ${principal.userId}`
      : ''

const tooMany = (retryAfterS: number): ShopError =>
  new ShopError('rate.limited', 'This key sends more readings than the shop takes. Please wait a moment.', {
    details: { retryAfterS },
  })

/**
 * Counts readings by sender. Returns 0, or, when they are too many, the milliseconds after which they are not; then
 * they are not counted. Source: the generic cell rate algorithm, ITU-T I.371.
 */
function senderRate(now: () => number): (sender: string, readings: number) => number {
  const stepMs = 1_000 / READINGS_PER_SECOND
  const due = new Map<string, number>()
  return (sender, readings) => {
    const at = now()
    const next = Math.max(due.get(sender) ?? 0, at) + readings * stepMs
    const waitMs = next - at - BURST * stepMs
    if (waitMs > 0) return waitMs
    if (due.size >= MAX_COUNTED) for (const [each, until] of due) if (until <= at) due.delete(each)
    due.set(sender, next)
    return 0
  }
}
