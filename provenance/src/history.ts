import { isWithheld, type ShownHistory } from './bundle-parts.ts'
import { type Digest, fromHex } from './digest.ts'
import { headAfter, recordHash } from './record.ts'
import type { ReasonCode } from './verdict.ts'

/** One record of a bundle with its hash recomputed and what is wrong with its place, if anything. */
export interface Entry {
  readonly seq: number
  readonly hash: Digest
  readonly withheld: boolean
  readonly problem: ReasonCode | undefined
  /** Is it the record that closes a box? Unknown (undefined) when withheld. */
  readonly isSeal: boolean | undefined
}

/** A box's records, hashed, and found by their place. */
export interface History {
  readonly entries: readonly Entry[]
  readonly bySeq: ReadonlyMap<number, Entry>
  /** Highest `seq` shown. */
  readonly last: number
}

/** Rebuilds every record hash and looks at box, order and seal of each record. Source: protocol §6.1. */
export function rebuildHistory(bundle: ShownHistory): History {
  const bySeq = new Map<number, Entry>()
  let last = 0
  let closed = false
  const entries = bundle.records.map((record): Entry => {
    const withheld = isWithheld(record)
    const entry = {
      seq: record.seq,
      hash: withheld ? fromHex(record.recordHash) : recordHash(record),
      withheld,
      isSeal: withheld ? undefined : record.kind === 'seal',
      problem: placeProblem(record.seq <= last, !withheld && record.box !== bundle.box, closed),
    }
    if (!bySeq.has(entry.seq)) bySeq.set(entry.seq, entry)
    last = Math.max(last, entry.seq)
    closed ||= entry.isSeal === true
    return entry
  })
  return { entries, bySeq, last }
}

function placeProblem(outOfPlace: boolean, otherBox: boolean, closed: boolean): ReasonCode | undefined {
  if (outOfPlace) return 'record_out_of_place'
  if (otherBox) return 'record_of_other_box'
  return closed ? 'record_after_seal' : undefined
}

/** The places from 1 to `last` at which no record was shown. */
export function missingSeqs({ bySeq, last }: History): number[] {
  const missing: number[] = []
  // A hostile bundle may show record 1,000,000 alone: a few gaps are enough to tell.
  for (let seq = 1; seq <= last && missing.length < 10; seq++) if (!bySeq.has(seq)) missing.push(seq)
  return missing
}

/** The head after records `from + 1` to `to`, starting at the head of `from`; undefined when one is not shown. */
export function headBetween(history: History, head: Digest, from: number, to: number): Digest | undefined {
  let at = head
  for (let seq = from + 1; seq <= to; seq++) {
    const entry = history.bySeq.get(seq)
    if (entry === undefined) return undefined
    at = headAfter(at, entry.hash)
  }
  return at
}
