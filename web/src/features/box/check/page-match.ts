import type { Box } from '@befaqt/domain/box'
import { newestCorrections } from '@befaqt/domain/corrections'
import { canonicalize } from '@befaqt/provenance'

/** What the page shows: the box, and the fingerprint of each record that it was made from, in order. */
export type ShownPage = { box: Box; hashes: readonly string[] }

/** A record of a bundle, withheld ones without data. */
export type SaidRecord = { seq: number; kind?: string; data?: unknown }

/**
 * Does the page show what the records say? A shop could prove one history and show another. Every fact shown has to
 * stand in a record of its kind, or in the newest correction of one that was corrected, and no reading may be missing. Records that came after the
 * page was loaded don't count; what was computed from the records is not compared.
 */
export function pageMatches({ box, hashes }: ShownPage, proven: readonly SaidRecord[]): boolean {
  const known = proven.slice(0, hashes.length)
  if (known.length < hashes.length) return false
  const facts = provenFacts(known)
  const shown = factsShown(box)
  const counts = (kind: string) =>
    known.filter((record) => record.kind === kind && record.data !== undefined).length
  const readings = shown.filter(([kind]) => kind === 'tracking').length
  return readings === counts('tracking') && shown.every(([kind, fact]) => facts.has(factText(kind, fact)))
}

function factsShown({ fisher, catchProv, iotResult, imageProc, e_nose, freshness }: Box): [string, object][] {
  const listed = (kind: string, facts: readonly object[]) =>
    facts.map((fact): [string, object] => [kind, fact])
  const hasFisher = fisher.traderID !== ''
  return [
    ...listed('registration', hasFisher ? [fisher] : []),
    ...listed('catch', catchProv ? [catchProv] : []),
    ...listed('tracking', iotResult?.iotTracking ?? []),
    ...listed('image-result', imageProc),
    ...listed('enose-result', e_nose),
    ...listed('freshness', freshness),
  ]
}

function provenFacts(records: readonly SaidRecord[]): Set<string> {
  const corrections = newestCorrections(records)
  return new Set(
    records.flatMap(({ seq, kind, data }) => {
      const said = corrections.has(seq) ? corrections.get(seq)?.data : data
      return kind !== undefined && typeof said === 'object' && said !== null ? [factText(kind, said)] : []
    }),
  )
}

/** `txHash` is the ledger's, not a record's. */
function factText(kind: string, fact: object): string {
  const own = Object.entries(fact).filter(([name, value]) => name !== 'txHash' && value !== undefined)
  return `${kind} ${canonicalize(Object.fromEntries(own))}`
}
