import { canonicalBytes, isPlainObject, type JsonObject, jsonCopy } from './canonical.ts'
import { type Digest, hashOf, utf8 } from './digest.ts'
import { FormatError } from './format-error.ts'
import { type Fields, fields, hex64, integer, isTimestamp, literal, matching, text } from './validate.ts'

/** What a record can be about. Source: protocol §1. */
export const recordKinds = [
  'registration',
  'catch',
  'tracking',
  'sensor-result',
  'image-result',
  'enose-result',
  'freshness',
  'handover',
  'sale',
  'loss',
  'recall',
  'weight',
  'offer',
  'device',
  'correction',
  'seal',
] as const
export type RecordKind = (typeof recordKinds)[number]

/** One fact about one box, never edited and never deleted. Source: protocol §1. */
export interface BoxRecord {
  readonly v: 1
  readonly box: string
  /** Place in this box's history, from 1, no gaps. */
  readonly seq: number
  readonly kind: RecordKind
  /** When it happened: RFC 3339 with offset, or market-local `YYYY-MM-DD HH:MM:SS`. */
  readonly at: string
  readonly by: string
  readonly data: JsonObject
  /** Hash of the part the public must not see, hex. */
  readonly restricted?: string
  /** 16 random bytes in hex, fresh for every record. */
  readonly salt: string
}

/** A record of a kind that its reader may not know: it is checked like any other. Source: protocol 2 §1. */
export type RecordOfAnyKind = Omit<BoxRecord, 'kind'> & { readonly kind: string }

/** What the public page must not show; the record holds only its hash. Source: protocol §2. */
export interface RestrictedPart {
  readonly data: JsonObject
  readonly salt: string
}

/** Longest boxID and operator, in UTF-16 units. */
export const MAX_ID_LENGTH = 200
/** Longest `data`, in UTF-16 units of its canonical text. */
export const MAX_DATA_LENGTH = 1024 * 1024
/** Deepest nesting of `data`, itself counted: leaves room for the bundle around it. */
export const MAX_DATA_DEPTH = 32
/** Longest `kind`, in UTF-16 units. */
export const MAX_KIND_LENGTH = 64
/** Highest `seq` and `count`. */
export const MAX_COUNT = 1_000_000

/** SHA-256(UTF-8(JCS(record))). The record must be one that `parseRecord` would accept. Source: protocol §1. */
export const recordHash = (record: RecordOfAnyKind): Digest => hashOf(canonicalBytes(record))

/** SHA-256(UTF-8(JCS(part))): the value of a record's `restricted`, in bytes. Source: protocol §2. */
export const restrictedHash = (part: RestrictedPart): Digest => hashOf(canonicalBytes(part))

/** A record with exactly the fields of the protocol's section 1. @throws FormatError with the path of what is wrong */
export const parseRecord = (value: unknown, path = '$'): BoxRecord => readRecord(value, path, kindOf)

/** The same, of any kind. @throws FormatError with the path of what is wrong */
export const parseRecordOfAnyKind = (value: unknown, path = '$'): RecordOfAnyKind =>
  readRecord(value, path, (from) => text(from, 'kind', [1, MAX_KIND_LENGTH]))

function readRecord<Kind extends string>(value: unknown, path: string, kindIn: (from: Fields) => Kind) {
  const from = fields(value, path, ['v', 'box', 'seq', 'kind', 'at', 'by', 'data', 'salt'], ['restricted'])
  return {
    v: literal(from, 'v', 1),
    box: text(from, 'box', [1, MAX_ID_LENGTH]),
    seq: integer(from, 'seq', [1, MAX_COUNT]),
    kind: kindIn(from),
    at: whenOf(from),
    by: text(from, 'by', [0, MAX_ID_LENGTH]),
    data: jsonObject(from, 'data'),
    ...(Object.hasOwn(from.of, 'restricted') ? { restricted: hex64(from, 'restricted') } : {}),
    salt: saltOf(from),
  }
}

/** A restricted part: `data` and `salt`, nothing else. @throws FormatError with the path of what is wrong */
export function parseRestrictedPart(value: unknown, path = '$'): RestrictedPart {
  const from = fields(value, path, ['data', 'salt'])
  return { data: jsonObject(from, 'data'), salt: saltOf(from) }
}

const saltOf = (from: Fields): string =>
  matching(from, 'salt', /^[0-9a-f]{32}$/, '32 lower-case hex characters')

function kindOf(from: Fields): RecordKind {
  const kind = recordKinds.find((known) => known === from.of.kind)
  if (kind === undefined)
    throw new FormatError(`${from.path}.kind`, `must be one of ${recordKinds.join(', ')}`)
  return kind
}

function whenOf(from: Fields): string {
  const at = text(from, 'at', [1, 64])
  if (!isTimestamp(at))
    throw new FormatError(`${from.path}.at`, 'must be RFC 3339 with offset, or YYYY-MM-DD HH:MM:SS')
  return at
}

/** A copy of the object, so that what is hashed later is what was checked here. */
function jsonObject(from: Fields, name: string): JsonObject {
  const value = from.of[name]
  const path = `${from.path}.${name}`
  if (!isPlainObject(value)) throw new FormatError(path, 'must be an object')
  const copy = jsonCopy(value, MAX_DATA_DEPTH, path) as JsonObject
  // In whatever order it names its members, its text is as long as the canonical one.
  if (JSON.stringify(copy).length > MAX_DATA_LENGTH) throw new FormatError(path, 'is too long')
  return copy
}

/** head(0) = SHA-256(UTF-8("befaqt/1/box/" + boxID)). Source: protocol §3. @throws FormatError for a lone surrogate */
export const genesisHead = (boxID: string): Digest => hashOf(utf8(`befaqt/1/box/${boxID}`))

/** head(n) = SHA-256(head(n-1) ‖ recordHash(n)), 64 bytes in. Source: protocol §3. */
export const headAfter = (prevHead: Digest, recordHash: Digest): Digest => hashOf(prevHead, recordHash)
