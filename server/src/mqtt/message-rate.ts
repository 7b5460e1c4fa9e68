/**
 * A connection's pace: each call counts one message and answers how many milliseconds it has to wait, so that after
 * `burst` at once there are `perSecond`. Source: the generic cell rate algorithm, ITU-T I.371.
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
