import type { RecordRow } from '@befaqt/domain/api/box-api'
import type { Reason } from '@befaqt/provenance'
import type { CheckState } from './check-state.ts'
import { differenceText } from './difference-text.ts'

type Done = Extract<CheckState, { phase: 'done' }>

/** Why a check failed, in a sentence; `seq` leads to a record. */
export type FailureReason = { text: string; seq?: number }

/** Every reason why nothing is confirmed, the most specific first. @param records what the page lists */
export function failureReasons(
  { result, page, memory }: Done,
  records: readonly RecordRow[],
  dayOf: (at: string) => string,
): FailureReason[] {
  if (memory?.forked && memory.before) {
    const { count, at } = memory.before
    const text = `On ${dayOf(at)} this browser verified ${count} records of this box. The records that are shown now do not continue them.`
    return [{ text }]
  }
  if (page?.kind === 'differs')
    return page.differences.map((difference) => differenceText(difference, records))
  return result.reasons
    .filter(({ code }) => !saidInLine.includes(code))
    .toSorted((a, b) => rank(a) - rank(b))
    .map((reason) => reasonText(reason, records, dayOf))
}

/** What the line above the reasons says already. */
const saidInLine: readonly string[] = ['malformed', 'other_format', 'other_box']

/** Reasons that name a record say most. */
const rank = ({ seq, anchor }: Reason): number => (seq !== undefined ? 0 : anchor !== undefined ? 1 : 2)

function reasonText(
  { code, seq, lastSeq, words }: Reason,
  records: readonly RecordRow[],
  dayOf: (at: string) => string,
): FailureReason {
  if (seq === undefined) return { text: words }
  const row = records[seq - 1]
  if (code !== 'head_mismatch' || row === undefined || row.at === '' || lastSeq !== undefined)
    return { text: words, seq }
  const what = nouns[row.kind] ?? 'a record'
  return { text: `Record ${seq}, ${what} of ${dayOf(row.at)}, was changed after it was logged.`, seq }
}

const nouns: Readonly<Record<string, string>> = {
  registration: 'the registration',
  catch: 'the catch',
  tracking: 'a temperature',
  'sensor-result': 'a sensor result',
  'image-result': 'an e-eye result',
  'enose-result': 'an e-nose result',
  freshness: 'a warmth index',
  correction: 'a correction',
}

/** What somebody in front of the fish can do about it. */
export function whatToDo({ result, page, memory, source }: Done, boxID: string): string {
  const isFile = source.from === 'file'
  if (isFile && result.box !== boxID) return 'Choose the proof file of this box.'
  if (memory?.forked)
    return 'Keep both proofs: they are evidence. Only if you know that this shop was set up anew, forget what this browser saw.'
  if (page?.kind === 'older') return 'Reload the page. If it still shows fewer records, don’t rely on it.'
  if (result.verdict === 'unreachable')
    return 'Try again in a minute, or name another ledger server under ‘Check it yourself’.'
  if (result.verdict === 'incomplete')
    return 'Check again in a minute. If it stays so, ask the shop for the newer records.'
  return isFile
    ? 'Don’t rely on this file.'
    : 'Don’t rely on the figures of this page. Download the proof as evidence, and ask the seller.'
}
