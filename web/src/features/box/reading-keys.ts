const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
}

/** Where a key leads from reading `from` (-1: none yet) of `count`; null when the key means nothing here. */
export function keyedReading(key: string, from: number, count: number): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = Object.hasOwn(steps, key) ? (steps[key] ?? 0) : null
  return step === null ? null : Math.max(0, Math.min(count - 1, from + step))
}
