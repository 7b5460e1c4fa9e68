/**
 * Each item with a key of its own, `keyOf` and which of the equal ones it is: results of one operator in one second are
 * no less two. Stable as long as items are only added at the end, as records are.
 */
export function withUniqueKeys<T>(items: readonly T[], keyOf: (item: T) => string): [key: string, item: T][] {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const key = keyOf(item)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return [`${key} ${count}`, item]
  })
}
