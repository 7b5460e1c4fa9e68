import type { ProofBundle } from '../bundle.ts'
import { toHex } from '../digest.ts'
import { type AnchorEvent, type LedgerAnchor, LedgerError, type LedgerReader } from '../ledger.ts'
import { parseCheckpoint } from '../log/checkpoint.ts'
import { parseNote } from '../log/note.ts'

/** What a node says of a contract, as far as proofs ask: anchors by index, events by transaction. */
export interface Answers {
  readonly chainId: number
  readonly contract: string
  /** How many anchors there are. */
  readonly count: number
  readonly anchors: ReadonlyMap<number, LedgerAnchor>
  readonly events: ReadonlyMap<string, readonly AnchorEvent[]>
}

/** A state of the shop's log: how many anchors, and their root in hex. */
export interface LogState {
  readonly size: number
  readonly root: string
}

/** All that a check of one box is given: by a shop, by a node. An attack makes another of it and leaves it as it is. */
export interface Scene {
  readonly bundle: ProofBundle
  readonly answers: Answers
  /** The log as the shop shows it to everybody, which receipts and witnesses hold theirs against; null: it has none. */
  readonly log: LogState | null
  /** The proof of another box of the shop; null: there is none. */
  readonly other: ProofBundle | null
  /** The shop's page, too, shows what these records make, and not what the true ones do. */
  readonly isShownSo: boolean
  /** The lie was there before anything was anchored: then ledger and log say it, too. */
  readonly isRecordedSo: boolean
}

/** The honest scene of a proof, where a node has answered like that. */
export const honestScene = (bundle: ProofBundle, answers: Answers, other: ProofBundle | null): Scene => ({
  bundle,
  answers,
  log: bundle.log === undefined ? null : logStateOf(bundle.log.checkpoint),
  other,
  isShownSo: false,
  isRecordedSo: false,
})

function logStateOf(note: string): LogState {
  const { size, root } = parseCheckpoint(parseNote(note).text)
  return { size, root: toHex(root) }
}

/**
 * Copies what proofs need of a ledger, so that they can be checked again without asking anybody.
 * @throws LedgerError when the ledger can't be read, or whatever its reader throws
 */
export async function answersOf(reader: LedgerReader, bundles: readonly ProofBundle[]): Promise<Answers> {
  const [identity, count] = await Promise.all([reader.identity(), reader.count()])
  const all = bundles.flatMap((bundle) => [bundle, ...(bundle.devices ?? [])])
  const indexes = new Set<number>()
  for (const { anchors, log } of all) {
    for (const { index, before } of anchors) {
      indexes.add(index)
      if (before !== null) indexes.add(index - 1)
    }
    if (log?.state) indexes.add(log.state.index)
  }
  const known = [...indexes].filter((index) => index >= 0 && index < count)
  const hashes = [...new Set(all.flatMap(({ anchors }) => anchors.map(({ txHash }) => txHash)))]
  const [held, events] = await Promise.all([reader.anchorsOf(known), reader.eventsOf(hashes)])
  return {
    ...identity,
    count,
    anchors: new Map(known.flatMap((index, i) => pair(index, held[i]))),
    events: new Map(hashes.flatMap((hash, i) => pair(hash, events[i]))),
  }
}

const pair = <K, V>(key: K, value: V | undefined): [K, V][] => (value === undefined ? [] : [[key, value]])

/** A node that answers like that, whoever asks. */
export const answering = ({ chainId, contract, count, anchors, events }: Answers): LedgerReader => ({
  live: true,
  identity: async () => ({ chainId, contract }),
  count: async () => count,
  anchorsOf: async (indexes) =>
    indexes.map((index) => {
      const anchor = anchors.get(index)
      if (anchor === undefined) throw new LedgerError(`nobody asked for anchor ${index} before`)
      return anchor
    }),
  eventsOf: async (txHashes) => txHashes.map((hash) => events.get(hash) ?? []),
})

/** The same answers, with other roots at these indexes. */
export function withRoots(answers: Answers, roots: ReadonlyMap<number, string>): Answers {
  const anchors = [...answers.anchors].map(
    ([index, anchor]) => [index, { ...anchor, root: roots.get(index) ?? anchor.root }] as const,
  )
  const events = [...answers.events].map(
    ([hash, made]) =>
      [hash, made.map((event) => ({ ...event, root: roots.get(event.index) ?? event.root }))] as const,
  )
  return { ...answers, anchors: new Map(anchors), events: new Map(events) }
}

/** Roots that a bundle shows, by the index of their anchor, those of the states before too. */
export const rootsIn = ({ anchors }: ProofBundle): Map<number, string> =>
  new Map(
    anchors.flatMap(({ index, root, before }): [number, string][] => [
      ...(before === null ? [] : ([[index - 1, before.root]] as [number, string][])),
      [index, root],
    ]),
  )
