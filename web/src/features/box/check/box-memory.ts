import { type Digest, fromHex, genesisHead, headAfter, toHex } from '@befaqt/provenance'
import type { BoxResult } from '@befaqt/provenance/verdict'
import type { Memory } from './check-state.ts'
import type { RememberedState } from './kept-by-browser.ts'

/* What was proven of a box, beside what this browser verified of it before. */

/** A file may be older than what was verified since, and then says nothing of it; one that is broken says it itself. */
export const besideMemory = (result: BoxResult, before: RememberedState | null): Memory | null =>
  before !== null && result.verdict !== 'broken' && result.records.length >= before.count
    ? { ...remember(result, before), now: null }
    : null

/** Does this history continue what was seen before? Then it is what to remember. Source: protocol §6, Two bundles. */
export function remember(
  { box, records, upTo }: Pick<BoxResult, 'box' | 'records' | 'upTo'>,
  before: RememberedState | null,
): Memory {
  const heads: Digest[] = [genesisHead(box ?? '')]
  for (const { recordHash } of records) heads.push(headAfter(heads.at(-1) as Digest, fromHex(recordHash)))
  const headAt = (count: number): string => {
    const head = heads[count]
    return head === undefined ? '' : toHex(head)
  }
  if (before !== null && headAt(before.count) !== before.head) return { before, forked: true, now: null }
  const anchor = records[upTo - 1]?.anchor?.index
  if (anchor === undefined || upTo < (before?.count ?? 0)) return { before, forked: false, now: null }
  return {
    before,
    forked: false,
    now: { count: upTo, head: headAt(upTo), anchor, at: new Date().toISOString() },
  }
}
