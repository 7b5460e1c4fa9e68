/** A test that was left out, and why. */
export type Skip = { file: string; name: string; reason: string }

/** What is known when everything has run. */
export type Tally = {
  passed: number
  failed: number
  skips: Skip[]
  /** Files and checks that failed, in the order they ended. */
  failures: string[]
  /** How long each test file took. */
  timings: { file: string; seconds: number }[]
  /** Things that could not be tested at all on this machine. */
  missing: string[]
}

export const emptyTally = (): Tally => ({
  passed: 0,
  failed: 0,
  skips: [],
  failures: [],
  timings: [],
  missing: [],
})

const SLOWEST = 5

/** The closing lines: what was slow, what was left out and why, what failed, and the count last. */
export function closingLines(tally: Tally): string[] {
  const slowest = tally.timings.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  return [
    ...section('slowest test files', slowest, ({ file, seconds }) => `${seconds.toFixed(1)} s  ${file}`),
    ...section('not tested on this machine', tally.missing, (reason) => reason),
    ...section('skipped', tally.skips, ({ file, name, reason }) => `${file}: ${name} (${reason})`),
    ...section('failed', tally.failures, (name) => name),
    '',
    `${tally.passed} passed, ${tally.failed} failed, ${tally.skips.length} skipped`,
  ]
}

function section<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  return items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `  ${line(item)}`)]
}
