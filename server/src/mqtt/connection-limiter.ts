/**
 * Counts who is inside: at most `most` of one kind at once, so that one address can't take every place.
 * Answers whether there is room, and how to leave.
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
