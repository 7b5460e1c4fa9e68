import { rootAbove } from '../box-map.ts'
import type { BundleAnchor, ProofBundle, StateBefore } from '../bundle.ts'
import { loggedIndexes } from '../bundle-log.ts'
import { isWithheld, type WithheldRecord } from '../bundle-parts.ts'
import { type Digest, fromHex, toHex } from '../digest.ts'
import type { BoxState } from '../leaf.ts'
import { parseCheckpoint } from '../log/checkpoint.ts'
import { parseNote } from '../log/note.ts'
import { genesisHead, headAfter, type RecordOfAnyKind, recordHash } from '../record.ts'

/*
 * The tools of a forger: bundles with other records, other anchors, other roots. Whoever tampers with a bundle has no
 * more than these, for hashes can be computed by anybody and nothing in a bundle is secret.
 */

export type ShownRecord = RecordOfAnyKind | WithheldRecord

/** Shows other records beside the true anchors. */
export const withRecords = (
  bundle: ProofBundle,
  change: (records: readonly ShownRecord[]) => readonly ShownRecord[],
): ProofBundle => ({ ...bundle, records: change(bundle.records) })

/** Shows one record, by its number, otherwise. */
export const withRecord = (bundle: ProofBundle, seq: number, change: Partial<RecordOfAnyKind>): ProofBundle =>
  withRecords(bundle, (records) => records.map((one) => (one.seq === seq ? { ...one, ...change } : one)))

/** Shows one anchor, by its place in the bundle, otherwise. */
export const withAnchor = (
  bundle: ProofBundle,
  place: number,
  change: (one: BundleAnchor) => Partial<BundleAnchor>,
): ProofBundle => ({
  ...bundle,
  anchors: bundle.anchors.map((one, i) => (i === place ? { ...one, ...change(one) } : one)),
})

/** The same records, numbered without gaps. */
export const renumbered = <R extends { readonly seq: number }>(records: readonly R[]): R[] =>
  records.map((record, i) => ({ ...record, seq: i + 1 }))

/** The hash of a record that is shown; of one without content the hash that is given. */
export const hashOfShown = (record: ShownRecord): Digest =>
  isWithheld(record) ? fromHex(record.recordHash) : recordHash(record)

/** Every head of these records, as if all were of this box: the one after n records is at place n. */
export function headsOf(box: string, records: readonly ShownRecord[]): string[] {
  const heads = [genesisHead(box)]
  for (const record of records) heads.push(headAfter(heads.at(-1) ?? genesisHead(box), hashOfShown(record)))
  return heads.map(toHex)
}

/**
 * A forgery that contradicts itself nowhere: every state of the box is that of these records, and every root is the one
 * that its path makes of it. Without a log, since nobody else can sign one.
 */
export function consistent(bundle: ProofBundle): ProofBundle {
  const { log: _, ...rest } = bundle
  const heads = headsOf(bundle.box, bundle.records)
  const stated = (leaf: BoxState): BoxState => ({ ...leaf, head: heads[leaf.count] ?? leaf.head })
  const anchors = rest.anchors.map((anchor): BundleAnchor => {
    const { index, txHash, blockNumber, time, path, before } = anchor
    const leaf = stated(anchor.leaf)
    const root = rootAbove(bundle.box, leaf, path)
    return { index, root, txHash, blockNumber, time, leaf, path, before: before && beforeOf(before) }
  })
  return { ...rest, anchors }

  function beforeOf({ root, leaf, other, path }: StateBefore): StateBefore {
    if (leaf === null) return { root, leaf, other, path }
    const former = stated(leaf)
    return { root: rootAbove(bundle.box, former, path), leaf: former, other, path }
  }
}

/** The log of a bundle without what anchors that were left out needed; so it still has the form of a log. */
export function withFittingLog(bundle: ProofBundle): ProofBundle {
  const { log, ...rest } = bundle
  if (log === undefined) return bundle
  const { size } = parseCheckpoint(parseNote(log.checkpoint).text)
  const isThere = rest.anchors.some(({ index }) => index < size)
  const isShown = rest.anchors.some(({ index }) => index === log.state?.index)
  const state = isThere && !isShown ? log.state : undefined
  const used = loggedIndexes(rest, size)
  if (state !== undefined) used.add(state.index)
  const inclusion = Object.entries(log.inclusion).filter(([index]) => used.has(Number(index)))
  const { checkpoint } = log
  const fitting = { checkpoint, inclusion: Object.fromEntries(inclusion) }
  return { ...rest, log: state === undefined ? fitting : { ...fitting, state } }
}

/** Another hash that looks like one. */
export const otherHash = (hex: string): string => (hex.startsWith('0') ? 'f' : '0') + hex.slice(1)
