import type { LogResult, LogState } from './verdict.ts'

/** What the log of a proof is worth, in a sentence for whoever asked by a policy. Source: witness.md, Whose policy. */
export function logMessage(log: LogResult): string {
  const { state, k, n, by, upTo, time } = log
  const who =
    by.length === 0 ? '' : ` (${by.map(({ name, ageS }) => `${name}, ${ageText(ageS)} ago`).join('; ')})`
  const signed = `${k} of ${n}${who}`
  const sentences: Record<LogState, string> = {
    witnessed: `Witnessed by ${signed}, up to record ${upTo}, as of ${time}.`,
    missed:
      n === 0 ? 'The policy asks for no witness.' : `Signed by ${signed}: fewer than the policy asks for.`,
    stale: `Signed by ${signed}: longer ago than a day, so newer records may have been left out.`,
    behind: `Signed by ${signed}: the proof does not show this box in the newest state that they signed.`,
    other_log: `The policy does not name the log ${log.origin}.`,
    no_policy: 'Witnesses may have signed its log: name a policy of your own to check that.',
    no_log: 'The proof has no log, so no witness vouches for it.',
    broken: 'What the log says is not what the proof says.',
  }
  return sentences[state]
}

/** A stretch of time in its largest unit, rounded down. */
function ageText(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const
  const [size, unit] = units.find(([each]) => seconds >= each) ?? [1, 'second']
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
