/** A point of the line. `at`: milliseconds since 1970. */
type Reading = { at: number; temperature: number }

/** When the line between two readings crosses the limit. */
const crossing = (from: Reading | undefined, to: Reading, limit: number): number =>
  from === undefined || from.temperature > limit || to.temperature <= from.temperature
    ? to.at
    : to.at - ((to.temperature - limit) / (to.temperature - from.temperature)) * (to.at - from.at)

/** When a stretch above the limit begins and ends, as the line is drawn. Times in milliseconds since 1970. */
export function crossings(
  readings: readonly Reading[],
  { since, until, limit }: { since: number; until: number; limit: number },
): [from: number, to: number] {
  const first = readings.findIndex(({ at }) => at >= since)
  const last = readings.findIndex(({ at }) => at >= until)
  const [begins, ends, warm] = [readings[first], readings[last], readings[last - 1]]
  const from = begins === undefined ? since : crossing(readings[first - 1], begins, limit)
  const to =
    ends === undefined || warm === undefined || warm.temperature <= limit
      ? until
      : ends.at - ((limit - ends.temperature) / (warm.temperature - ends.temperature)) * (ends.at - warm.at)
  return [from, to]
}

/** Whole degrees for the axis: every one, two, five or ten. */
export function ticks(low: number, high: number): number[] {
  const step = [1, 2, 5, 10].find((one) => (high - low) / one <= 6) ?? 20
  const first = Math.ceil(low / step) * step
  return Array.from(
    { length: Math.max(0, Math.floor((high - first) / step) + 1) },
    (_, i) => first + i * step,
  )
}
