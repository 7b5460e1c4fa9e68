import { emptyTally, type Tally } from './tally.ts'

/** More failures than this are no matter of a busy machine. */
const MOST = 5

/**
 * Test files that look at real programs by the clock beside all others: journeys in a browser, and measurements run once.
 * Whatever tests a rule, a race or a kill has one run.
 */
const MAY = /^(e2e\/(journeys|hooks)\/|bench\/src\/smoke\/)/

/** A group of files that failed beside others: what its run found, and how it is run once more. */
type Failed = { files: readonly string[]; first: Tally; again: (tally: Tally) => Promise<void> }

/**
 * Runs test files, and those journeys that failed beside others once more, alone, when all others have ended. One that
 * passes then is named in the closing lines with what it failed on (docs/decisions/0086-a-second-run.md).
 */
export function secondRuns(tally: Tally) {
  const failed: Failed[] = []
  return {
    /** Runs a group for the first time. */
    async first(files: readonly string[], run: (tally: Tally) => Promise<void>): Promise<void> {
      const first = emptyTally()
      await run(first)
      const isForgiven = first.failed > 0 && files.every((file) => MAY.test(file))
      if (isForgiven) failed.push({ files, first, again: run })
      else add(tally, first)
    },
    /** Runs again what may be, one after the other; to be called when nothing else runs. */
    async second(): Promise<void> {
      const runsAgain = failed.length <= MOST && tally.failed === 0
      for (const { files, first, again } of failed) {
        const last = runsAgain ? emptyTally() : first
        if (runsAgain) {
          process.stdout.write(`${files.join(' ')}: once more, alone\n`)
          await again(last)
          if (last.failed === 0) last.passedAlone.push(...first.failures)
        }
        add(tally, last)
      }
    },
  }
}

function add(to: Tally, from: Tally): void {
  to.passed += from.passed
  to.failed += from.failed
  to.skips.push(...from.skips)
  to.failures.push(...from.failures)
  to.passedAlone.push(...from.passedAlone)
  to.timings.push(...from.timings)
  to.missing.push(...from.missing)
}
