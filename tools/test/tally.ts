/** A skipped test, and why. */
export type Skip = { file: string; name: string; reason: string }

/** The result of a run. */
export type Tally = {
  passed: number
  failed: number
  skips: Skip[]
  /** Failed files and checks, in the order in which they ended. */
  failures: string[]
  /** What failed beside others and passed in a run of its own. */
  passedAlone: string[]
  /** Duration of each test file. */
  timings: { file: string; seconds: number }[]
  /** Things that could not be tested at all on this machine. */
  missing: string[]
}

export const emptyTally = (): Tally => ({
  passed: 0,
  failed: 0,
  skips: [],
  failures: [],
  passedAlone: [],
  timings: [],
  missing: [],
})

const SLOWEST = 5

/** The closing lines: slow files, skipped tests and why, failures, and the totals. */
export function closingLines(tally: Tally): string[] {
  const slowest = tally.timings.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)
  return [
    ...section('slowest test files', slowest, ({ file, seconds }) => `${seconds.toFixed(1)} s  ${file}`),
    ...section('not tested on this machine', tally.missing, (reason) => reason),
    ...section('skipped', tally.skips, ({ file, name, reason }) => `${file}: ${name} (${reason})`),
    ...section('failed beside others, passed alone', tally.passedAlone, (name) => name),
    ...section('failed', tally.failures, (name) => name),
    '',
    `${tally.passed} passed, ${tally.failed} failed, ${tally.skips.length} skipped`,
  ]
}

function section<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  return items.length === 0 ? [] : ['', `${title}:`, ...items.map((item) => `  ${line(item)}`)]
}
