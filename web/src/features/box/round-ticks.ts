/** The first of 1, 2, 5, 10, 20, 50, … that is `least` or more. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find((figure) => figure * power >= least) ?? 10)
}

/** Round values, at most `most` steps of 1, 2 or 5 times a power of ten, that reach around `low` and `high`. */
export function roundTicks(low: number, high: number, most: number): number[] {
  const step = roundStep((high - low) / most)
  const first = Math.floor(low / step)
  const last = Math.ceil(high / step)
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}
