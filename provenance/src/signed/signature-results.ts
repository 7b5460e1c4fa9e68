import { boxMessage, reasonMessages } from '../messages.ts'
import type { BoxResult, RecordResult, SignatureCounts } from '../verdict.ts'
import type { Finding } from './check-signatures.ts'

/** A result with what was found of its signatures: a record that is not what was signed makes the box broken. */
export function withFindings(result: BoxResult, findings: ReadonlyMap<number, Finding>): BoxResult {
  const records = result.records.map((record): RecordResult => {
    const finding = findings.get(record.seq)
    if (finding === undefined) return record
    if ('signature' in finding) return { ...record, signature: finding.signature }
    const { problem } = finding
    const words = reasonMessages[problem](`record ${record.seq}`)
    return record.verdict === 'broken' ? record : { ...record, verdict: 'broken', code: problem, words }
  })
  const reasons = records.flatMap(({ seq, code, words }, i) =>
    result.records[i]?.code === code ? [] : [{ code, words, seq } as BoxResult['reasons'][number]],
  )
  const signatures = countsOf(records)
  if (reasons.length === 0) return { ...result, records, signatures }
  const upTo = Math.min(result.upTo, Math.min(...reasons.map(({ seq = 1 }) => seq)) - 1)
  const words =
    result.verdict === 'broken'
      ? result.words
      : boxMessage('unsigned', { upTo, withheld: result.withheld, datedAhead: 0 })
  return {
    ...result,
    verdict: 'broken',
    words,
    reasons: [...result.reasons, ...reasons],
    upTo,
    records,
    signatures,
  }
}

function countsOf(records: readonly RecordResult[]): SignatureCounts {
  const signatures = records.flatMap(({ signature }) => signature ?? [])
  const good = signatures.filter(({ state }) => state === 'good')
  return {
    sensor: good.filter(({ level }) => level === 'sensor').length,
    gateway: good.filter(({ level }) => level === 'gateway').length,
    unconfirmed: signatures.length - good.length,
  }
}
