import type { FormatError } from '../format-error.ts'
import { reasonMessages } from '../messages.ts'
import { type Findings as FindingsOf1, findReasons, verdictOf } from '../reasons.ts'
import { malformedResult as malformedResultOf1, provenUpTo, recordResult, sealedByLedger } from '../result.ts'
import { blockTimeSeconds } from '../timestamps.ts'
import type { Reason, ReasonCode } from '../verdict.ts'
import type { ProofBundle } from './bundle.ts'
import { isDatedAhead, latenessIn, latenessOf } from './lateness.ts'
import { boxMessage } from './messages.ts'
import type { BoxResult, RecordResult } from './verdict.ts'

/** Everything that a check has found out; the answer follows from it alone. */
export interface Findings extends FindingsOf1 {
  /** For each anchor of the bundle, whether it continues the one before it. */
  readonly discontinuities: readonly (ReasonCode | undefined)[]
}

/** The whole answer about a bundle that could be read. `timeZone` is that of record times without offset. */
export function boxResult(bundle: ProofBundle, found: Findings, timeZone: string): BoxResult {
  const records = withLateness(bundle, found, timeZone)
  const upTo = provenUpTo(records)
  const against = [...findReasons(found), ...continuityReasons(bundle, found)]
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
    records,
  }
}

/** The answer about something that is not a bundle at all. */
export const malformedResult = (error: FormatError): BoxResult => ({
  ...malformedResultOf1(error),
  withheld: 0,
  lateness: latenessOf([]),
  records: [],
})

function continuityReasons({ anchors }: ProofBundle, { discontinuities }: Findings): Reason[] {
  return discontinuities.flatMap((code, i) => {
    const index = anchors[i]?.index
    return code === undefined || index === undefined
      ? []
      : [{ code, words: reasonMessages[code](`anchor ${index}`), anchor: index }]
  })
}

/** Each record's result, with the seconds from its time to its anchor's. Source: protocol §6.5. */
function withLateness({ records }: ProofBundle, found: Findings, timeZone: string): RecordResult[] {
  const latenessFrom = latenessIn(timeZone)
  return found.judgements.map((judgement, i): RecordResult => {
    const result = recordResult(found, judgement, i)
    const record = records[i]
    const blockTime = result.verdict === 'anchored' && blockTimeSeconds(result.anchor?.time ?? '')
    if (record === undefined || !('at' in record) || typeof blockTime !== 'number')
      return { ...result, latenessS: null }
    const latenessS = latenessFrom(record.at, blockTime)
    if (latenessS === null || !isDatedAhead(latenessS)) return { ...result, latenessS }
    const code = 'dated_ahead'
    return { ...result, latenessS, code, words: reasonMessages[code](`record ${record.seq}`) }
  })
}
