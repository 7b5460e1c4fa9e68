/** Keys that are remembered; beyond them the oldest is evicted. */
const MAX_KEYS = 1_000

/** Returns true for a key at most once in `ms`: keeps one damaged file or an unreachable store from flooding the log. */
export function throttle(ms: number, now: () => number = () => performance.now()): (name: string) => boolean {
  const passed = new Map<string, number>()
  return (name) => {
    const last = passed.get(name)
    if (last !== undefined && now() - last < ms) return false
    passed.delete(name)
    passed.set(name, now())
    const [oldest] = passed.keys()
    if (passed.size > MAX_KEYS && oldest !== undefined) passed.delete(oldest)
    return true
  }
}
