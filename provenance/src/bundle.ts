import {
  type AnchorOfBox,
  anchorFacts,
  type LedgerAddress,
  parseAnchorFacts,
  parseLedger,
  parsePathHash,
  parseShownRecord,
  type WithheldRecord,
} from './bundle-parts.ts'
import { canonicalize } from './canonical.ts'
import { parseBoxState } from './leaf.ts'
import { type BoxRecord, MAX_COUNT, MAX_ID_LENGTH, parseRecord } from './record.ts'
import { fields, integer, list, literal, text } from './validate.ts'

/** One anchor that covers this box, with the way from the box's state up to the root. Source: protocol §5. */
export interface BundleAnchor extends AnchorOfBox {
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
    records: list(from, 'records', [1, MAX_COUNT], (record, path) =>
      parseShownRecord(record, path, parseRecord),
    ),
    ledger: parseLedger(from.of.ledger, '$.ledger'),
    anchors: list(from, 'anchors', [0, MAX_COUNT], parseAnchor),
  }
}

function parseAnchor(value: unknown, path: string): BundleAnchor {
  const from = fields(value, path, [...anchorFacts, 'leaf', 'leafIndex', 'treeSize', 'path'])
  return {
    ...parseAnchorFacts(from),
    leaf: parseBoxState(from.of.leaf, `${path}.leaf`),
    leafIndex: integer(from, 'leafIndex', [0, MAX_TREE_SIZE - 1]),
    treeSize: integer(from, 'treeSize', [1, MAX_TREE_SIZE]),
    path: list(from, 'path', [0, MAX_PATH_LENGTH], parsePathHash),
  }
}
