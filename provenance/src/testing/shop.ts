import { createHash } from 'node:crypto'
import { type BoxProof, EMPTY, MapNodes, proveBox, updateMap } from '../box-map.ts'
import type { AbsenceBundle, BundleAnchor, ProofBundle } from '../bundle.ts'
import type { AnchorChanges } from '../bundle-parts.ts'
import { type AnchorFile, fileLedger } from '../file-ledger.ts'
import {
  type BoxRecord,
  type BoxState,
  blockTimeText,
  genesisHead,
  headAfter,
  type LedgerReader,
  type RecordKind,
  recordHash,
  toHex,
} from '../index.ts'
import { compareBoxes } from '../leaf.ts'
import { isMarkedSigned } from '../signed/signed-data.ts'

/** No development chain: nodes of this machine that a test names then count as somebody else's. */
export const chainId = 84_532
export const contract = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const FIRST_BLOCK_TIME = 1_795_222_800

const ledger = { chainId, contract, rpc: 'https://example.org/rpc' }

interface MadeAnchor {
  readonly root: string
  readonly boxes: number
  readonly records: number
  readonly states: ReadonlyMap<string, BoxState>
  /** All records that there were. */
  readonly histories: ReadonlyMap<string, readonly BoxRecord[]>
}

/** Boxes with their records, and anchors over them, kept as an honest shop and an honest chain would. */
export class Shop {
  readonly histories = new Map<string, BoxRecord[]>()
  readonly anchors: MadeAnchor[] = []
  /** Nodes of all maps there were. */
  readonly #nodes = new MapNodes()

  /**
   * Adds one record to a box, new or known.
   * @param when its time, or so many seconds before the block of the next anchor: 40 where that is not said, and of a signed
   *   reading when it says that it was
   */
  append(box: string, kind: RecordKind, data: BoxRecord['data'] = {}, when?: number | string): BoxRecord {
    const history = this.histories.get(box) ?? []
    const said = when === undefined && isMarkedSigned(data) ? data.time : when
    const beforeS = typeof said === 'number' ? said : 40
    const at = typeof said === 'string' ? said : blockTimeText(this.#timeOf(this.anchors.length) - beforeS)
    const record = { ...recordOf(box, history.length + 1, kind, data), at }
    this.histories.set(box, [...history, record])
    return record
  }

  /** Anchors every box as it is. */
  anchor(): void {
    this.anchorStates([...this.histories].map(([box, history]) => stateOf(box, history)))
  }

  /** Anchors the map before with these states in it, whether true or not. */
  anchorStates(states: readonly BoxState[]): void {
    const before = this.anchors.at(-1)
    const { root } = updateMap(this.#nodes, before?.root ?? EMPTY, states)
    const all = new Map([...(before?.states ?? []), ...states.map((state) => [state.box, state] as const)])
    const records = states.reduce(
      (sum, { box, count }) => sum + count - (before?.states.get(box)?.count ?? 0),
      0,
    )
    this.#push(root, all, Math.max(0, records))
  }

  /** Anchors the map before without these boxes, as no shop may. */
  anchorWithout(...boxes: readonly string[]): void {
    const all = new Map(this.anchors.at(-1)?.states)
    for (const box of boxes) all.delete(box)
    this.#push(updateMap(this.#nodes, EMPTY, [...all.values()]).root, all, 0)
  }

  #push(root: string, states: ReadonlyMap<string, BoxState>, records: number): void {
    this.anchors.push({ root, boxes: states.size, records, states, histories: new Map(this.histories) })
  }

  /** What the map of an anchor says of a box. */
  proofOf(index: number, box: string): BoxProof & { root: string } {
    const root = this.anchors[index]?.root ?? EMPTY
    return { root, ...proveBox(this.#nodes, root, box) }
  }

  /** The proof of a box as of now. */
  bundleOf(box: string): ProofBundle {
    const states = this.anchors.map((anchor) => anchor.states.get(box))
    const newest = states.length - 1
    const shown = states.flatMap((state, index) => {
      const grown = state !== undefined && state.count > (states[index - 1]?.count ?? 0)
      return state !== undefined && (grown || index === newest) ? [{ index, grown }] : []
    })
    const anchors = shown.map(({ index, grown }, i): BundleAnchor => {
      const { leaf, path, root } = this.proofOf(index, box)
      if (leaf === null) throw new RangeError(`anchor ${index} does not hold ${box}`)
      const beside = shown[i - 1]?.index === index - 1 || index === 0
      const before = grown && !beside ? this.proofOf(index - 1, box) : null
      return { ...this.#factsOf(index), root, leaf, path, before }
    })
    return { v: 2, box, records: this.histories.get(box) ?? [], ledger, anchors }
  }

  /** The proof that the newest anchor does not hold a box. */
  absenceOf(box: string): AbsenceBundle {
    const index = this.anchors.length - 1
    const { other, path, root } = this.proofOf(index, box)
    return { v: 2, box, ledger, anchor: { ...this.#factsOf(index), root }, other, path }
  }

  /** What a shop tells auditors of an anchor: its facts, and the states that are other than in the one before. */
  changesAt(index: number): AnchorChanges {
    const [before, anchor] = [this.anchors[index - 1], this.anchors[index]]
    const leaves = [...(anchor?.states.values() ?? [])].flatMap((state) => {
      const former = before?.states.get(state.box)
      const history = anchor?.histories.get(state.box)?.slice(former?.count ?? 0, state.count) ?? []
      return former === state ? [] : [{ ...state, records: history.map((each) => toHex(recordHash(each))) }]
    })
    return {
      ...this.#factsOf(index),
      root: anchor?.root ?? EMPTY,
      leaves: leaves.sort((a, b) => compareBoxes(a.box, b.box)),
    }
  }

  /** What the contract holds, as of now. */
  file(): AnchorFile {
    const anchors = this.anchors.map(({ root, boxes, records }, index) => {
      const { txHash, blockNumber } = this.#factsOf(index)
      const blockTime = this.#timeOf(index)
      return { index, root, boxes, records, blockTime, txHash, blockNumber }
    })
    return { chainId, contract, count: anchors.length, anchors }
  }

  /** The chain's own answers, as of now. */
  ledger(): LedgerReader {
    return { ...fileLedger(this.file()), live: true }
  }

  #factsOf(index: number) {
    const time = blockTimeText(this.#timeOf(index))
    return { index, txHash: `0x${sha(`transaction ${index}`)}`, blockNumber: 5 + 2 * index, time }
  }

  #timeOf(index: number): number {
    return FIRST_BLOCK_TIME + 60 * index
  }
}

/** A record with a time and a salt that follow from its place. */
function recordOf(box: string, seq: number, kind: RecordKind, data: BoxRecord['data']): BoxRecord {
  const salt = sha(`${box} ${seq}`).slice(0, 32)
  const at = blockTimeText(FIRST_BLOCK_TIME - 5000 + seq)
  return { v: 1, box, seq, kind, at, by: 'device-1', data, salt }
}

/** The true state of a box. */
export function stateOf(box: string, history: readonly BoxRecord[]): BoxState {
  const head = history.reduce((before, record) => headAfter(before, recordHash(record)), genesisHead(box))
  return { box, count: history.length, head: toHex(head), sealed: history.at(-1)?.kind === 'seal' }
}

const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
