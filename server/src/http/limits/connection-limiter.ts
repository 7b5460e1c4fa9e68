/**
 * Limits concurrent connections per key to `most`, so that one network can't use up all of them. Returns a function
 * that releases the connection, or undefined when the limit is reached.
 */
export function connectionLimiter(most: number): (kind: string) => (() => void) | undefined {
  const inside = new Map<string, number>()
  return (kind) => {
    const count = inside.get(kind) ?? 0
    if (count >= most) return undefined
    inside.set(kind, count + 1)
    return () => {
      const left = (inside.get(kind) ?? 1) - 1
      if (left === 0) inside.delete(kind)
      else inside.set(kind, left)
    }
  }
}
