import type { ProofBundle } from './bundle.ts'
import type { AnchorFacts } from './bundle-parts.ts'
import { isPlainObject } from './canonical.ts'
import type { Entry, RecordCheck } from './check-records.ts'
import { toHex } from './digest.ts'
import type { FormatError } from './format-error.ts'
import { isDatedAhead, latenessIn, latenessOf } from './lateness.ts'
import { boxMessage, reasonMessages, recordMessages, recordsText } from './messages.ts'
import { type Findings, findReasons, verdictOf } from './reasons.ts'
import { MAX_ID_LENGTH } from './record.ts'
import { blockTimeSeconds } from './validate.ts'
import type { BoxResult, BoxVerdict, ProvingAnchor, Reason, RecordResult } from './verdict.ts'

/** The whole answer about a bundle that could be read. `timeZone` is that of record times without offset. */
export function boxResult(bundle: ProofBundle, found: Findings, timeZone: string): BoxResult {
  const records = recordResults(bundle, found, timeZone)
  const upTo = provenUpTo(records)
  const against = findReasons(found)
  const verdict = verdictOf(against) ?? (upTo === records.length ? 'verified' : 'verified-up-to')
  const ahead = records.flatMap(({ code, words, seq }) =>
    code === 'dated_ahead' ? [{ code, words, seq }] : [],
  )
  const withheld = found.history.entries.filter((entry) => entry.withheld).length
  return {
    verdict,
    words: boxMessage(verdict, { upTo, withheld, datedAhead: ahead.length }),
    reasons: [...against, ...ahead],
    box: bundle.box,
    sealed: found.ledger.kind === 'read' && sealedByLedger(found),
    upTo,
    withheld,
    lateness: latenessOf(records.map(({ latenessS }) => latenessS)),
    signatures: NO_SIGNATURES,
    records,
  }
}

/** The format of bundles that this verifier reads. */
const FORMAT = 2

/**
 * The format of a proof that was written in another one, and the box that it names; undefined for everything else. Such
 * a proof is not broken: it can't be read here. Getters and proxies of a hostile object may throw anything.
 */
function otherFormat(value: unknown): { format: number; box: string } | undefined {
  try {
    if (!isPlainObject(value) || !['records', 'other'].some((name) => Object.hasOwn(value, name)))
      return undefined
    const { v: format, box } = value
    const isOther = typeof format === 'number' && Number.isSafeInteger(format) && format > 0
    const hasBox = typeof box === 'string' && box.length > 0 && box.length <= MAX_ID_LENGTH
    return isOther && format !== FORMAT && hasBox ? { format, box } : undefined
  } catch {
    return undefined
  }
}

/** What such a format is, and who reads it. */
const formatText = (format: number): string =>
  format < FORMAT
    ? `format ${format}, which verifiers read until 22 November 2026: download a new proof of the box and check that`
    : `format ${format}, which only newer verifiers read`

/** The answer about something that is not a bundle, or one in another format than this verifier reads. */
export function refusedResult(value: unknown, { message }: FormatError): BoxResult {
  const other = otherFormat(value)
  if (other === undefined)
    return resultWithoutRecords('broken', null, [
      { code: 'malformed', words: reasonMessages.malformed(''), detail: message },
    ])
  const words = reasonMessages.other_format(formatText(other.format))
  const reason: Reason = { code: 'other_format', words }
  return { ...resultWithoutRecords('unreachable', other.box, [reason]), words }
}

/** What was found about the box that was asked for: a proof of another one says nothing about it. Source: protocol §6.8. */
export function resultFor(asked: string | undefined, result: BoxResult): BoxResult {
  if (asked === undefined || result.box === null || result.box === asked) return result
  const words = reasonMessages.other_box(`box ${result.box}`)
  return { ...result, verdict: 'broken', words, reasons: [{ code: 'other_box', words }, ...result.reasons] }
}

/** A result that lists no record. */
export function resultWithoutRecords(
  verdict: BoxVerdict,
  box: string | null,
  reasons: readonly Reason[],
): BoxResult {
  const words = boxMessage(verdict, { upTo: 0, withheld: 0, datedAhead: 0 })
  const lateness = latenessOf([])
  const counts = { sealed: false, upTo: 0, withheld: 0, lateness, signatures: NO_SIGNATURES }
  return { verdict, words, reasons, box, ...counts, records: [] }
}

/** Before signatures are looked at, or where there are none. */
export const NO_SIGNATURES = { sensor: 0, gateway: 0, unconfirmed: 0 } as const

/** The last record up to which all are proven. */
function provenUpTo(records: readonly Pick<RecordResult, 'seq' | 'verdict'>[]): number {
  const stop = records.findIndex(
    ({ seq, verdict }, i) => seq !== i + 1 || !(verdict === 'anchored' || verdict === 'withheld'),
  )
  return stop === -1 ? records.length : stop
}

/** Is the box sealed in the newest anchor, and does that anchor hold? */
function sealedByLedger({ checked }: Findings): boolean {
  const newest = checked.at(-1)
  return newest?.problem === undefined && newest?.anchor.leaf.sealed === true
}

/** The answer about each record, with the seconds from its time to its anchor's. Source: protocol §6.5. */
function recordResults({ records }: ProofBundle, found: Findings, timeZone: string): RecordResult[] {
  const latenessFrom = latenessIn(timeZone)
  return found.history.entries.flatMap((entry, i): RecordResult[] => {
    const [judgement, record] = [found.judgements[i], records[i]]
    if (judgement === undefined) return []
    const result = recordResult(entry, judgement)
    const blockTime = result.verdict === 'anchored' && blockTimeSeconds(result.anchor?.time ?? '')
    if (record === undefined || !('at' in record) || typeof blockTime !== 'number') return [result]
    const latenessS = latenessFrom(record.at, blockTime)
    if (latenessS === null || !isDatedAhead(latenessS)) return [{ ...result, latenessS }]
    const code = 'dated_ahead'
    return [{ ...result, latenessS, code, words: reasonMessages[code](`record ${record.seq}`) }]
  })
}

const recordResult = (entry: Entry, judgement: RecordCheck): RecordResult => ({
  seq: entry.seq,
  recordHash: toHex(entry.hash),
  verdict: judgement.verdict,
  code: judgement.code,
  words: recordMessage(judgement, entry.seq),
  withheld: entry.withheld,
  anchor: judgement.anchor && provingAnchor(judgement.anchor),
  latenessS: null,
})

function recordMessage({ code, verdict, segment }: RecordCheck, seq: number): string {
  if (code === 'anchored' || code === 'pending' || code === 'withheld') return recordMessages[code]
  if (verdict === 'unchecked' && code === 'record_missing') return recordMessages.besideHole
  return reasonMessages[code](segment ? recordsText(segment.from + 1, segment.to) : `record ${seq}`)
}

const provingAnchor = ({ index, txHash, blockNumber, time }: AnchorFacts): ProvingAnchor => ({
  index,
  txHash,
  blockNumber,
  time,
})
