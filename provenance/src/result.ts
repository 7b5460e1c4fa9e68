import type { AnchorFacts, ShownHistory } from './bundle-parts.ts'
import type { RecordCheck } from './check-records.ts'
import { toHex } from './digest.ts'
import type { FormatError } from './format-error.ts'
import { boxMessage, reasonMessages, recordMessages, verdictMessages } from './messages.ts'
import { type Findings, findReasons, verdictOf } from './reasons.ts'
import type { BoxResult, ProvingAnchor, RecordResult } from './verdict.ts'

/** The whole answer about a bundle that could be read. */
export function boxResult(bundle: ShownHistory, found: Findings): BoxResult {
  const reasons = findReasons(found)
  const records = found.judgements.map((judgement, i) => recordResult(found, judgement, i))
  const upTo = provenUpTo(records)
  const verdict = verdictOf(reasons) ?? (upTo === records.length ? 'verified' : 'verified-up-to')
  const sealed = found.ledger.kind === 'read' && sealedByLedger(found)
  return { verdict, words: boxMessage(verdict, upTo), reasons, box: bundle.box, sealed, upTo, records }
}

/** The answer about something that is not a bundle at all. */
export function malformedResult({ message }: FormatError): BoxResult {
  const reasons = [{ code: 'malformed', words: reasonMessages.malformed(''), detail: message }] as const
  const words = boxMessage('broken', 0)
  return { verdict: 'broken', words, reasons, box: null, sealed: false, upTo: 0, records: [] }
}

/** The last record up to which all are proven. */
export function provenUpTo(records: readonly Pick<RecordResult, 'seq' | 'verdict'>[]): number {
  const stop = records.findIndex(
    ({ seq, verdict }, i) => seq !== i + 1 || !(verdict === 'anchored' || verdict === 'withheld'),
  )
  return stop === -1 ? records.length : stop
}

/** Is the box sealed in the newest anchor, and does that anchor hold? */
export function sealedByLedger({ checked }: Findings): boolean {
  const newest = checked.at(-1)
  return newest?.problem === undefined && newest?.anchor.leaf.sealed === true
}

/** The answer about the record at `position` of the bundle. */
export function recordResult({ history }: Findings, judgement: RecordCheck, position: number): RecordResult {
  const entry = history.entries[position]
  if (entry === undefined) throw new RangeError(`no record at ${position}`)
  return {
    seq: entry.seq,
    recordHash: toHex(entry.hash),
    verdict: judgement.verdict,
    code: judgement.code,
    words: recordMessage(judgement, entry.seq),
    withheld: entry.withheld,
    anchor: judgement.anchor && provingAnchor(judgement.anchor),
  }
}

function recordMessage({ code, verdict, stretch }: RecordCheck, seq: number): string {
  if (code === 'anchored' || code === 'pending' || code === 'withheld') return recordMessages[code]
  if (verdict === 'unchecked' && code === 'record_missing') return recordMessages.besideHole
  return reasonMessages[code](stretch ? verdictMessages(stretch.from + 1, stretch.to) : `record ${seq}`)
}

const provingAnchor = ({ index, txHash, blockNumber, time }: AnchorFacts): ProvingAnchor => ({
  index,
  txHash,
  blockNumber,
  time,
})
