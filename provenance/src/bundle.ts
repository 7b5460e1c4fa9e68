import { canonicalize } from './canonical.ts'
import { FormatError } from './format-error.ts'
import { type BoxState, parseBoxState } from './leaf.ts'
import { type BoxRecord, MAX_COUNT, MAX_ID_LENGTH, parseRecord } from './record.ts'
import { blockTimeSeconds } from './timestamps.ts'
import { type Fields, fields, hex64, integer, list, literal, matching, text } from './validate.ts'

/** A record whose content was erased by law: the hash is kept, so the history still verifies. Source: protocol §2. */
export interface WithheldRecord {
  readonly seq: number
  readonly recordHash: string
  readonly withheld: true
}

/** Where the anchors are kept. `rpc` is the server's suggestion; a verifier may read any other. */
export interface LedgerAddress {
  readonly chainId: number
  /** `0x` and 40 lower-case hex characters. */
  readonly contract: string
  readonly rpc: string
}

/** One anchor that covers this box, with the way from the box's state up to the root. Source: protocol §5. */
export interface BundleAnchor {
  readonly index: number
  readonly root: string
  /** `0x` and 64 lower-case hex characters. */
  readonly txHash: string
  readonly blockNumber: number
  /** Block time, `2026-11-21T01:02:03Z`. */
  readonly time: string
  readonly leaf: BoxState
  readonly leafIndex: number
  readonly treeSize: number
  readonly path: readonly string[]
}

/** All that a stranger needs to check one box. Source: protocol §5. */
export interface ProofBundle {
  readonly v: 1
  readonly box: string
  readonly records: readonly (BoxRecord | WithheldRecord)[]
  readonly ledger: LedgerAddress
  readonly anchors: readonly BundleAnchor[]
}

/** The contract counts boxes in 32 bits, so no tree is larger and no path longer. */
const MAX_TREE_SIZE = 2 ** 32 - 1
const MAX_PATH_LENGTH = 32

export const isWithheld = (record: BoxRecord | WithheldRecord): record is WithheldRecord =>
  'withheld' in record

/**
 * A bundle with exactly the fields of the protocol's section 5, every one in its range. The answer is a fresh copy,
 * made from the canonical text, so later changes to `value` can't reach it. Says nothing about the truth of it.
 * @throws FormatError with the path of the first thing that is wrong
 */
export function parseBundle(value: unknown): ProofBundle {
  const copy: unknown = JSON.parse(canonicalize(value))
  const from = fields(copy, '$', ['v', 'box', 'records', 'ledger', 'anchors'])
  return {
    v: literal(from, 'v', 1),
    box: text(from, 'box', [1, MAX_ID_LENGTH]),
    records: list(from, 'records', [1, MAX_COUNT], parseShownRecord),
    ledger: parseLedger(from.of.ledger, '$.ledger'),
    anchors: list(from, 'anchors', [0, MAX_COUNT], parseAnchor),
  }
}

function parseShownRecord(value: unknown, path: string): BoxRecord | WithheldRecord {
  const withheld = typeof value === 'object' && value !== null && Object.hasOwn(value, 'withheld')
  if (!withheld) return parseRecord(value, path)
  const from = fields(value, path, ['seq', 'recordHash', 'withheld'])
  return {
    seq: integer(from, 'seq', [1, MAX_COUNT]),
    recordHash: hex64(from, 'recordHash'),
    withheld: literal(from, 'withheld', true),
  }
}

function parseLedger(value: unknown, path: string): LedgerAddress {
  const from = fields(value, path, ['chainId', 'contract', 'rpc'])
  return {
    chainId: integer(from, 'chainId', [1, Number.MAX_SAFE_INTEGER]),
    contract: matching(from, 'contract', /^0x[0-9a-f]{40}$/, '0x and 40 lower-case hex characters'),
    rpc: matching(from, 'rpc', /^https?:\/\/[^\s]{1,2000}$/, 'an http or https address'),
  }
}

function parseAnchor(value: unknown, path: string): BundleAnchor {
  const from = fields(value, path, [
    'index',
    'root',
    'txHash',
    'blockNumber',
    'time',
    'leaf',
    'leafIndex',
    'treeSize',
    'path',
  ])
  return {
    index: integer(from, 'index', [0, Number.MAX_SAFE_INTEGER]),
    root: hex64(from, 'root'),
    txHash: matching(from, 'txHash', /^0x[0-9a-f]{64}$/, '0x and 64 lower-case hex characters'),
    blockNumber: integer(from, 'blockNumber', [0, Number.MAX_SAFE_INTEGER]),
    time: timeOf(from),
    leaf: parseBoxState(from.of.leaf, `${path}.leaf`),
    leafIndex: integer(from, 'leafIndex', [0, MAX_TREE_SIZE - 1]),
    treeSize: integer(from, 'treeSize', [1, MAX_TREE_SIZE]),
    path: list(from, 'path', [0, MAX_PATH_LENGTH], parsePathHash),
  }
}

function timeOf(from: Fields): string {
  const time = text(from, 'time', [20, 20])
  if (blockTimeSeconds(time) === undefined)
    throw new FormatError(`${from.path}.time`, 'must be a time in UTC like 2026-11-21T01:02:03Z')
  return time
}

function parsePathHash(value: unknown, path: string): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value))
    throw new FormatError(path, 'must be 64 lower-case hex characters')
  return value
}
