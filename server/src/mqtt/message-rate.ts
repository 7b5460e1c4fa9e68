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
