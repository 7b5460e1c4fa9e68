import { createHash } from 'node:crypto'
import { type AnchorFile, fileLedger } from '../file-ledger.ts'
import {
  anchorLeaf,
  type BoxRecord,
  type BoxState,
  type BundleAnchor,
  blockTimeText,
  buildTree,
  compareBoxes,
  genesisHead,
  headAfter,
  type MerkleTree,
  type ProofBundle,
  type RecordKind,
  recordHash,
  toHex,
} from '../index.ts'
import type { LedgerReader } from '../ledger.ts'

export const chainId = 31337
export const contract = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
export const FIRST_BLOCK_TIME = 1_795_222_800

/** A number from 0 up to, not with, `below`. */
export type Chance = (below: number) => number

/** The same seed gives the same row of numbers (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

interface MadeAnchor {
  readonly states: readonly BoxState[]
  readonly tree: MerkleTree
  readonly records: number
  readonly time: number
  readonly txHash: string
  readonly blockNumber: number
}

/** Boxes with their records, and anchors over them, kept as an honest server and an honest chain would. */
export class World {
  readonly histories = new Map<string, BoxRecord[]>()
  readonly anchors: MadeAnchor[] = []
  readonly #anchored = new Map<string, BoxState>()

  /** Adds one record to a box, new or known. */
  append(box: string, kind: RecordKind, data: BoxRecord['data'] = {}, restricted?: string): BoxRecord {
    const history = this.histories.get(box) ?? []
    const facts = recordOf(box, history.length + 1, kind, data)
    const record = restricted === undefined ? facts : { ...facts, restricted }
    this.histories.set(box, [...history, record])
    return record
  }

  /** Anchors every box that is not sealed, and those sealed since the anchor before. */
  anchor(): void {
    const open = [...this.histories].filter(([box]) => this.#anchored.get(box)?.sealed !== true)
    this.anchorStates(open.map(([box, history]) => stateOf(box, history)))
  }

  /** Anchors these states, whether true or not. */
  anchorStates(given: readonly BoxState[]): void {
    const states = given.toSorted((a, b) => compareBoxes(a.box, b.box))
    const records = states.reduce(
      (sum, { box, count }) => sum + count - (this.#anchored.get(box)?.count ?? 0),
      0,
    )
    for (const state of states) this.#anchored.set(state.box, state)
    const index = this.anchors.length
    const [time, blockNumber] = [FIRST_BLOCK_TIME + 60 * index, 5 + 2 * index]
    const txHash = `0x${sha(`transaction ${index}`)}`
    this.anchors.push({ states, tree: buildTree(states.map(anchorLeaf)), records, time, txHash, blockNumber })
  }

  /** The proof of a box as of now. */
  bundleOf(box: string): ProofBundle {
    const holding = this.anchors.flatMap((anchor, index) => {
      const place = anchor.states.findIndex((state) => state.box === box)
      return place === -1 ? [] : [bundleAnchor(anchor, index, place)]
    })
    const newest = holding.length - 1
    const anchors = holding.filter(
      ({ leaf }, i) => i === newest || i === 0 || leaf.count > (holding[i - 1]?.leaf.count ?? 0),
    )
    const ledger = { chainId, contract, rpc: 'https://example.org/rpc' }
    return { v: 1, box, records: this.histories.get(box) ?? [], ledger, anchors }
  }

  /** All anchors, as an export of the contract. */
  file(): AnchorFile {
    const anchors = this.anchors.map(({ states, tree, records, time, txHash, blockNumber }, index) => {
      const root = toHex(tree.root)
      return { index, root, boxes: states.length, records, blockTime: time, txHash, blockNumber }
    })
    return { chainId, contract, count: anchors.length, anchors }
  }

  /** The chain's own answers. */
  ledger(): LedgerReader {
    return { ...fileLedger(this.file()), live: true }
  }
}

/** A record with a time and a salt that follow from its place. */
export function recordOf(box: string, seq: number, kind: RecordKind, data: BoxRecord['data']): BoxRecord {
  const salt = sha(`${box} ${seq}`).slice(0, 32)
  const at = blockTimeText(FIRST_BLOCK_TIME - 5000 + seq)
  return { v: 1, box, seq, kind, at, by: 'device-1', data, salt }
}

/** The true state of a box. */
export function stateOf(box: string, history: readonly BoxRecord[]): BoxState {
  const head = history.reduce((before, record) => headAfter(before, recordHash(record)), genesisHead(box))
  return { box, count: history.length, head: toHex(head), sealed: history.at(-1)?.kind === 'seal' }
}

function bundleAnchor(anchor: MadeAnchor, index: number, place: number): BundleAnchor {
  const { states, tree, txHash, blockNumber, time } = anchor
  const leaf = states[place]
  if (leaf === undefined) throw new RangeError(`no leaf ${place}`)
  const path = tree.path(place).map(toHex)
  const root = toHex(tree.root)
  return {
    index,
    root,
    txHash,
    blockNumber,
    time: blockTimeText(time),
    leaf,
    leafIndex: place,
    treeSize: tree.size,
    path,
  }
}
