import { type BoxProof, MAX_PATH_LENGTH } from './box-map.ts'
import {
  type BundleLog,
  type LoggedCounts,
  loggedCounts,
  parseLog,
  parseLoggedCounts,
  parseLogHead,
} from './bundle-log.ts'
import {
  type AnchorFacts,
  type AnchorOfBox,
  anchorFacts,
  isWithheld,
  type LedgerAddress,
  parseAnchorFacts,
  parseLedger,
  parsePathHash,
  parseShownRecord,
  saysSigned,
  timeOf,
  type WithheldRecord,
} from './bundle-parts.ts'
import { jsonCopy, parseJsonText } from './canonical.ts'
import { FormatError } from './format-error.ts'
import { type BoxState, parseBoxState } from './leaf.ts'
import { MAX_COUNT, MAX_ID_LENGTH, parseRecordOfAnyKind, type RecordOfAnyKind } from './record.ts'
import { type Fields, fields, hex64, integer, list, literal, text } from './validate.ts'

/** The box in the anchor with the index before. Source: protocol §5. */
export interface StateBefore extends BoxProof, Partial<LoggedCounts> {
  readonly root: string
  /** Where the bundle's checkpoint covers that anchor, as are the counts. */
  readonly time?: string
}

/** One anchor that covers this box, with the way from the box's state up to the root. Source: protocol §5. */
export interface BundleAnchor extends AnchorOfBox, Partial<LoggedCounts> {
  readonly path: readonly string[]
  /** null where there is nothing before it, or the anchor before it in the bundle is the one with the index before. */
  readonly before: StateBefore | null
}

/** All that a stranger needs to check one box. Source: protocol §5. */
export interface ProofBundle {
  readonly v: 2
  readonly box: string
  readonly records: readonly (RecordOfAnyKind | WithheldRecord)[]
  readonly ledger: LedgerAddress
  readonly anchors: readonly BundleAnchor[]
  /** Proofs of the register boxes of keys that signed its records, none of them with devices of its own. */
  readonly devices?: readonly ProofBundle[]
  /** Where it was asked for: that the log of anchors holds these, and who signed that log. */
  readonly log?: BundleLog
}

/** Proof that the map of an anchor does not hold a box. Source: protocol §5. */
export interface AbsenceBundle {
  readonly v: 2
  readonly box: string
  readonly ledger: LedgerAddress
  readonly anchor: AnchorFacts
  /** The leaf at which the way to the box ends; null: it ends at nothing. */
  readonly other: BoxState | null
  readonly path: readonly string[]
}

/** Keys that may have signed the records of one box. */
export const MAX_DEVICES = 100

/** Longest text of a bundle that is read, in UTF-16 units: some 10,000 records with an anchor for each. */
export const MAX_BUNDLE_LENGTH = 64 * 1024 * 1024

/**
 * A bundle with exactly the fields of the protocol's section 5, every one in its range. The answer is a fresh copy,
 * made from the canonical text, so later changes to `value` can't reach it. Says nothing about the truth of it.
 * @throws FormatError with the path of the first thing that is wrong
 */
export function parseBundle(value: unknown): ProofBundle {
  const copy = jsonCopy(value)
  const from = fields(copy, '$', bundleFields, ['devices', 'log'])
  const head = Object.hasOwn(from.of, 'log') ? parseLogHead(from.of.log) : undefined
  const bundle = withDevices(from, head?.checkpoint.size ?? 0)
  return head === undefined ? bundle : { ...bundle, log: parseLog(head, bundle) }
}

/** @param size how many anchors the bundle's checkpoint covers */
function withDevices(from: Fields, size: number): ProofBundle {
  if (!Object.hasOwn(from.of, 'devices')) return bundleIn(from, size)
  const devices = list(from, 'devices', [1, MAX_DEVICES], (device, path) =>
    bundleIn(fields(device, path, bundleFields), size),
  )
  if (new Set(devices.map(({ box }) => box)).size < devices.length)
    throw new FormatError('$.devices', 'must not name a key twice')
  const bundle = bundleIn(from, size)
  // What a withheld record was is not known.
  if (!bundle.records.some((record) => isWithheld(record) || saysSigned(record)))
    throw new FormatError('$.devices', 'must not stand where nothing is signed')
  return { ...bundle, devices }
}

/** Names of the fields that every bundle has. */
export const bundleFields = ['v', 'box', 'records', 'ledger', 'anchors'] as const

function bundleIn(from: Fields, size: number): ProofBundle {
  const { path: at } = from
  return {
    v: literal(from, 'v', 2),
    box: text(from, 'box', [1, MAX_ID_LENGTH]),
    records: list(from, 'records', [1, MAX_COUNT], (record, path) =>
      parseShownRecord(record, path, parseRecordOfAnyKind),
    ),
    ledger: parseLedger(from.of.ledger, `${at}.ledger`),
    anchors: list(from, 'anchors', [0, MAX_COUNT], (anchor, path) => parseAnchor(anchor, path, size)),
  }
}

/** An absence bundle, read in the same way. @throws FormatError with the path of the first thing that is wrong */
export function parseAbsence(value: unknown): AbsenceBundle {
  const copy = jsonCopy(value)
  const from = fields(copy, '$', ['v', 'box', 'ledger', 'anchor', 'other', 'path'])
  return {
    v: literal(from, 'v', 2),
    box: text(from, 'box', [1, MAX_ID_LENGTH]),
    ledger: parseLedger(from.of.ledger, '$.ledger'),
    anchor: parseAnchorFacts(fields(from.of.anchor, '$.anchor', anchorFacts)),
    other: stateOrNull(from, 'other'),
    path: pathIn(from),
  }
}

/** The bundle in a text, as a file or an answer holds it. @throws FormatError, also when it is too long or no JSON */
export const parseBundleText = (text: string): ProofBundle => parseBundle(parseProofText(text))

/** The absence bundle in a text. @throws FormatError, also when it is too long or no JSON */
export const parseAbsenceText = (text: string): AbsenceBundle => parseAbsence(parseProofText(text))

function parseProofText(text: string): unknown {
  if (text.length > MAX_BUNDLE_LENGTH) throw new FormatError('$', 'is too long')
  return parseJsonText(text)
}

/** The text of a bundle, as `parseBundleText` or `parseAbsenceText` reads it back. */
export const bundleText = (bundle: ProofBundle | AbsenceBundle): string => `${JSON.stringify(bundle)}\n`

/** Its counts stand exactly there where a checkpoint covers it, and so do those of the anchor before. */
function parseAnchor(value: unknown, path: string, size: number): BundleAnchor {
  const index: unknown = Object(value).index
  const covered = (at: unknown): boolean => typeof at === 'number' && at >= 0 && at < size
  const counts = covered(index) ? loggedCounts : []
  const from = fields(value, path, [...anchorFacts, ...counts, 'leaf', 'path', 'before'])
  const facts = parseAnchorFacts(from)
  const before = from.of.before
  return {
    ...facts,
    ...(counts.length > 0 && parseLoggedCounts(from)),
    leaf: parseBoxState(from.of.leaf, `${path}.leaf`),
    path: pathIn(from),
    before: before === null ? null : parseBefore(before, `${path}.before`, covered(facts.index - 1)),
  }
}

function parseBefore(value: unknown, path: string, isLogged: boolean): StateBefore {
  const logged = isLogged ? ['time', ...loggedCounts] : []
  const from = fields(value, path, ['root', 'leaf', 'other', 'path', ...logged])
  const [leaf, other] = [stateOrNull(from, 'leaf'), stateOrNull(from, 'other')]
  if (leaf !== null && other !== null)
    throw new FormatError(`${path}.other`, 'must be null where there is a leaf')
  const before = { root: hex64(from, 'root'), leaf, other, path: pathIn(from) }
  return isLogged ? { ...before, time: timeOf(from), ...parseLoggedCounts(from) } : before
}

const stateOrNull = (from: Fields, name: string): BoxState | null =>
  from.of[name] === null ? null : parseBoxState(from.of[name], `${from.path}.${name}`)

const pathIn = (from: Fields): string[] => list(from, 'path', [0, MAX_PATH_LENGTH], parsePathHash)

/** The `kept` of the news of a bundle: how many items of a former one precede those of their lists. */
export interface FormerLengths {
  readonly records: number
  readonly anchors: number
}

/**
 * How far a bundle goes: its records, and the last anchor at which the box had grown, as `12-4`, or `12-none` before
 * the first. The last anchor of a bundle may be one that only repeats the state before it.
 */
export function positionOf({ records, anchors }: ProofBundle): string {
  const grown = anchors.findLast(({ leaf }, i) => leaf.count > (anchors[i - 1]?.leaf.count ?? 0))
  return `${records.length}-${grown?.index ?? 'none'}`
}

/**
 * The bundle that a former one and its news make: a bundle whose lists lack what is `kept`. It is checked like any
 * other, by `verifyBundle`: whoever made the news could have sent it whole, so nothing is believed that would not be
 * believed then.
 * @param former one that was verified
 * @throws FormatError when these are no news of that box, on that ledger, or go on from where it does not reach
 */
export function withNews(former: ProofBundle, news: unknown): unknown {
  const from = fields(news, '$', [...bundleFields, 'kept'], ['devices'])
  const { kept: part, records, anchors, ...others } = from.of
  const kept = fields(part, '$.kept', ['records', 'anchors'])
  literal(from, 'box', former.box)
  const ledger = fields(from.of.ledger, '$.ledger', ['chainId', 'contract', 'rpc'])
  for (const name of ['chainId', 'contract', 'rpc'] as const) literal(ledger, name, former.ledger[name])
  return {
    ...others,
    records: joined(former.records, records, kept, 'records'),
    anchors: joined(former.anchors, anchors, kept, 'anchors'),
  }
}

function joined(
  former: readonly unknown[],
  added: unknown,
  kept: Fields,
  name: keyof FormerLengths,
): unknown[] {
  if (!Array.isArray(added)) throw new FormatError(`$.${name}`, 'must be a list')
  return [...former.slice(0, integer(kept, name, [0, former.length])), ...added]
}
