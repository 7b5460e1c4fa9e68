import { jsonCopy } from './canonical.ts'
import { isHexDigest } from './digest.ts'
import { FormatError } from './format-error.ts'
import { type BoxState, compareBoxes, parseBoxState } from './leaf.ts'
import { MAX_COUNT, MAX_ID_LENGTH, type RecordOfAnyKind } from './record.ts'
import {
  blockTimeSeconds,
  type Fields,
  fields,
  hex64,
  integer,
  list,
  literal,
  matching,
  text,
} from './validate.ts'

/** A record whose content was erased by law: the hash is kept, so the history still verifies. Source: protocol §2. */
export interface WithheldRecord {
  readonly seq: number
  readonly recordHash: string
  readonly withheld: true
}

/** Where the anchors are stored. `rpc` is the server's suggestion; a verifier may read any other. */
export interface LedgerAddress {
  readonly chainId: number
  /** `0x` and 40 lower-case hex characters. */
  readonly contract: string
  readonly rpc: string
}

/** One anchor as every document names it: its root, and the transaction that wrote it. */
export interface AnchorFacts {
  readonly index: number
  readonly root: string
  /** `0x` and 64 lower-case hex characters. */
  readonly txHash: string
  readonly blockNumber: number
  /** Block time, `2026-11-21T01:02:03Z`. */
  readonly time: string
}

/** One anchor that covers a box, with the box's state in it. */
export interface AnchorOfBox extends AnchorFacts {
  readonly leaf: BoxState
}

/** What a bundle shows of a box's history. */
export interface ShownHistory {
  readonly box: string
  readonly records: readonly (RecordOfAnyKind | WithheldRecord)[]
}

export const isWithheld = <T extends object>(record: T | WithheldRecord): record is WithheldRecord =>
  'withheld' in record

/** Does a record say that a device signed it: a reading, or a weight? */
export const saysSigned = (record: RecordOfAnyKind | WithheldRecord): record is RecordOfAnyKind =>
  !isWithheld(record) &&
  (Object.hasOwn(record.data, 'signed') ||
    (record.kind === 'weight' && Object.hasOwn(record.data, 'weighed')))

/** A record as `parse` reads it, or what is left of one whose content was erased. @throws FormatError */
export function parseShownRecord<T>(
  value: unknown,
  path: string,
  parse: (value: unknown, path: string) => T,
): T | WithheldRecord {
  const withheld = typeof value === 'object' && value !== null && Object.hasOwn(value, 'withheld')
  if (!withheld) return parse(value, path)
  const from = fields(value, path, ['seq', 'recordHash', 'withheld'])
  return {
    seq: integer(from, 'seq', [1, MAX_COUNT]),
    recordHash: hex64(from, 'recordHash'),
    withheld: literal(from, 'withheld', true),
  }
}

/** @throws FormatError with the path of what is wrong */
export function parseLedger(value: unknown, path: string): LedgerAddress {
  const from = fields(value, path, ['chainId', 'contract', 'rpc'])
  return {
    chainId: integer(from, 'chainId', [1, Number.MAX_SAFE_INTEGER]),
    contract: matching(from, 'contract', /^0x[0-9a-f]{40}$/, '0x and 40 lower-case hex characters'),
    rpc: matching(from, 'rpc', /^https?:\/\/[^\s]{1,2000}$/, 'an http or https address'),
  }
}

/** Names of the fields of `AnchorFacts`. */
export const anchorFacts = ['index', 'root', 'txHash', 'blockNumber', 'time'] as const

/** The fields that every document gives of an anchor. @throws FormatError with the path of what is wrong */
export const parseAnchorFacts = (from: Fields): AnchorFacts => ({
  index: integer(from, 'index', [0, Number.MAX_SAFE_INTEGER]),
  root: hex64(from, 'root'),
  txHash: matching(from, 'txHash', /^0x[0-9a-f]{64}$/, '0x and 64 lower-case hex characters'),
  blockNumber: integer(from, 'blockNumber', [0, Number.MAX_SAFE_INTEGER]),
  time: timeOf(from),
})

/** Block time of an anchor. @throws FormatError with the path of what is wrong */
export function timeOf(from: Fields): string {
  const time = text(from, 'time', [20, 20])
  if (blockTimeSeconds(time) === undefined)
    throw new FormatError(`${from.path}.time`, 'must be a time in UTC like 2026-11-21T01:02:03Z')
  return time
}

/** An item of a path. @throws FormatError with the path of what is wrong */
export function parsePathHash(value: unknown, path: string): string {
  if (typeof value !== 'string' || !isHexDigest(value))
    throw new FormatError(path, 'must be 64 lower-case hex characters')
  return value
}

/** A box that grew at an anchor: its state there, and what it grew by. */
export interface GrownState extends BoxState {
  /** Hashes of the new records, oldest first, as many as the count rose; fewer on a page that ends among them. */
  readonly records: readonly string[]
}

/**
 * What changed at an anchor: from these alone an auditor follows the map. Large ones come in pages: `next` names the
 * last box of this page, after which the next one begins, and `nextRecord` its last record, where more of that box
 * follow: then the next page begins with the same leaf. The last page has neither. Source: protocol §5.
 */
export interface AnchorChanges extends AnchorFacts {
  /** The new states, in the order of the boxes' UTF-8 bytes. */
  readonly leaves: readonly GrownState[]
  readonly next?: string
  readonly nextRecord?: number
}

/** Most leaves on one page, and most hashes of records of one leaf. */
export const MAX_CHANGES = 10_000

/** A page of changes with exactly these fields. @throws FormatError with the path of the first thing that is wrong */
export function parseAnchorChanges(value: unknown): AnchorChanges {
  const copy = jsonCopy(value)
  const from = fields(copy, '$', [...anchorFacts, 'leaves'], ['next', 'nextRecord'])
  const leaves = list(from, 'leaves', [0, MAX_CHANGES], parseGrownState)
  for (const [i, { box }] of leaves.entries()) {
    const before = leaves[i - 1]
    if (before !== undefined && compareBoxes(before.box, box) >= 0)
      throw new FormatError(`$.leaves[${i}].box`, 'must come after the box before it')
  }
  const changes = { ...parseAnchorFacts(from), leaves }
  const [hasNext, isSplit] = ['next', 'nextRecord'].map((name) => Object.hasOwn(from.of, name))
  if (isSplit && !hasNext) throw new FormatError('$.nextRecord', 'must not stand without next')
  if (!hasNext) return changes
  const next = text(from, 'next', [1, MAX_ID_LENGTH])
  if (next !== leaves.at(-1)?.box) throw new FormatError('$.next', 'must be the last box of this page')
  if (!isSplit) return { ...changes, next }
  const most = (leaves.at(-1)?.count ?? 1) - 1
  return { ...changes, next, nextRecord: integer(from, 'nextRecord', [1, most]) }
}

function parseGrownState(value: unknown, path: string): GrownState {
  const { of, ...rest } = fields(value, path, ['box', 'count', 'head', 'sealed', 'records'])
  const { records: _, ...state } = of
  const records = list({ of, ...rest }, 'records', [0, MAX_CHANGES], parsePathHash)
  return { ...parseBoxState(state, path), records }
}
