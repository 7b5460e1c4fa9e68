/** At most so many of `count` in even steps, with the first and the last. */
export function evenly(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i)
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)))
}
