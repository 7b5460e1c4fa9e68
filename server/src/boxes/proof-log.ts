import { loadPaths, proveBox } from '@befaqt/provenance/box-map'
import type { BundleAnchor } from '@befaqt/provenance/bundle'
import type { BundleLog, LoggedState } from '@befaqt/provenance/bundle-log'
import {
  type CosignedCheckpoint,
  checkpointsForProofs,
  inclusionOf,
  type LoggedAnchor,
  loggedAnchors,
  nodesIn,
} from '#server/anchoring/index.ts'
import type { Tx } from '#server/db/client.ts'

/** Anchors of one history in a proof. */
type Shown = { readonly boxID: string; readonly shown: readonly BundleAnchor[] }

/** A proof's anchors with what the log says of them, and its part of the log. */
type Logged<T> = { box: T; devices: T[]; log: BundleLog }

/**
 * Adds to a proof what the log of anchors says of it. Undefined: nothing of the log is signed yet. Source: witness.md, In
 * the bundle.
 */
export async function withLog<T extends Shown>(
  tx: Tx,
  box: T,
  devices: readonly T[],
): Promise<Logged<T> | undefined> {
  const chosen = await checkpointFor(tx, box)
  if (chosen === undefined) return undefined
  const { size, note, state } = chosen
  const indexes = new Set([box, ...devices].flatMap(({ shown }) => coveredIn(shown, size)))
  if (state !== undefined) indexes.add(state.index)
  const used = [...indexes].sort((a, b) => a - b)
  const entries = await loggedAnchors(tx, used)
  const add = (of: T): T => ({ ...of, shown: of.shown.map((anchor) => withCounts(anchor, entries)) })
  const log = { checkpoint: note, inclusion: await inclusionOf(tx, size, used) }
  return { box: add(box), devices: devices.map(add), log: state === undefined ? log : { ...log, state } }
}

/** Indexes that anchors name, those before them too, as far as a log of that size has them. */
const coveredIn = (shown: readonly BundleAnchor[], size: number): number[] =>
  shown.flatMap(({ index, before }) =>
    (before === null ? [index] : [index - 1, index]).filter((each) => each >= 0 && each < size),
  )

function withCounts(anchor: BundleAnchor, entries: ReadonlyMap<number, LoggedAnchor>): BundleAnchor {
  const { before, ...facts } = anchor
  const [own, former] = [entries.get(anchor.index), entries.get(anchor.index - 1)]
  return {
    ...facts,
    ...(own && { boxes: own.boxes, records: own.records }),
    before:
      before === null || former === undefined
        ? before
        : { ...before, time: former.time, boxes: former.boxes, records: former.records },
  }
}

/** The best checkpoint in whose newest anchor the box can be shown; else the best, without the box in that anchor. */
async function checkpointFor(
  tx: Tx,
  { boxID, shown }: Shown,
): Promise<(CosignedCheckpoint & { state?: LoggedState }) | undefined> {
  const [best, ...others] = await checkpointsForProofs(tx)
  if (best === undefined) return undefined
  for (const checkpoint of [best, ...others]) {
    const newest = checkpoint.size - 1
    const covered = shown.filter(({ index }) => index <= newest)
    if (covered.length === 0 || covered.some(({ index }) => index === newest)) return checkpoint
    const state = await stateAt(tx, newest, boxID)
    if (state !== undefined) return { ...checkpoint, state }
  }
  return best
}

/** The box in an anchor, as the map of it says; undefined where that is not kept any more, or lacks the box. */
export async function stateAt(tx: Tx, index: number, boxID: string): Promise<LoggedState | undefined> {
  const entry = (await loggedAnchors(tx, [index])).get(index)
  if (entry === undefined) return undefined
  try {
    const { leaf, path } = proveBox(await loadPaths(nodesIn(tx), entry.root, [boxID]), entry.root, boxID)
    return leaf === null ? undefined : { ...entry, leaf, path }
  } catch (cause) {
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}
