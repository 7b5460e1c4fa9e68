/** The value that this share of all are at or below: 0.5 is the median, 1 the largest. 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0
}
