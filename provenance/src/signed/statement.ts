import { canonicalize, type JsonObject, parseJsonText } from '../canonical.ts'
import { hashOf, hexOf, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { type Fields, fields, integer, isTimestamp, literal, matching, text } from '../validate.ts'

/** One reading that a device vouches for: what its record holds beside the signature. */
export interface SignedReading {
  /** RFC 3339 with offset, or market-local `YYYY-MM-DD HH:MM:SS`. */
  readonly time: string
  /** Degrees; 0 and 0 where there is no position. */
  readonly latitude: number
  readonly longitude: number
  /** The sensor that measured. */
  readonly iotID: string
  /** °C. */
  readonly temperature: number
}

/** What somebody signed of any kind, read from the signed bytes alone. */
export interface Signed {
  /** Id of the key that it names. */
  readonly key: string
  /** Grows from statement to statement of a key about a box. */
  readonly counter: number
  readonly box: string
  /** What was measured, and when: each of these has a record. */
  readonly readings: readonly { readonly time: string }[]
  /**
   * `hash` of the statement before it, of the same key about the same box; `FIRST`: there is none that the device knows of;
   * null: it is of the older form, which names none.
   */
  readonly prev: string | null
  /** SHA-256 in hex: of the whole COSE_Sign1 as it was sent, tag and all, or of a phone's or gateway's canonical text. */
  readonly hash: string
  /** The bytes that the signature is over, and the signature, 64 bytes. */
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** Readings that somebody signed. */
export interface Statement extends Signed {
  /** Percent, where it is reported. */
  readonly battery: number | null
  /** In their order in the statement; a record names its own by its place. */
  readonly readings: readonly SignedReading[]
}

/** Readings of one statement: each record repeats its bytes. */
export const MAX_STATEMENT_READINGS = 16
/** Bytes of a statement. */
export const MAX_STATEMENT_BYTES = 4_096
/** The `prev` of a first statement, and of one after its device lost its state: as many zeros as a hash has digits. */
export const FIRST = '0'.repeat(64)
/** Highest counter, and lowest. */
export const COUNTERS = [0, Number.MAX_SAFE_INTEGER] as const

const KEY_ID = /^[0-9a-f]{32}$/
const HASH = /^[0-9a-f]{64}$/

/**
 * Reads the statement of a phone or gateway: the canonical text of one reading, with box, key and counter.
 * Source: RFC 8785, standards.md 'Signed readings'.
 * @throws FormatError also for text that is not canonical: then others would sign other bytes for the same
 */
export function readJcsStatement(signed: string, signature: Uint8Array): Statement {
  if (signed.length > MAX_STATEMENT_BYTES) throw new FormatError('$', 'is too long')
  const value = parseJsonText(signed)
  if (canonicalize(value) !== signed) throw new FormatError('$', 'is not canonical JSON')
  const from = fields(value, '$', [...readingFields, 'v', 'box', 'key', 'counter'], ['battery', 'prev'])
  literal(from, 'v', 1)
  const message = utf8(signed)
  return {
    key: matching(from, 'key', KEY_ID, '32 lower-case hex characters'),
    counter: integer(from, 'counter', COUNTERS),
    box: text(from, 'box', [1, 64]),
    battery: Object.hasOwn(from.of, 'battery') ? numberIn(from, 'battery', [0, 100]) : null,
    readings: [readingIn(from)],
    prev: Object.hasOwn(from.of, 'prev')
      ? matching(from, 'prev', HASH, '64 lower-case hex characters')
      : null,
    hash: hexOf(hashOf(message)),
    message,
    signature,
  }
}

const readingFields = ['time', 'latitude', 'longitude', 'iotID', 'temperature'] as const

function readingIn(from: Fields): SignedReading {
  const time = text(from, 'time', [1, 64])
  if (!isTimestamp(time))
    throw new FormatError('$.time', 'must be RFC 3339 with offset, or YYYY-MM-DD HH:MM:SS')
  return {
    time,
    latitude: numberIn(from, 'latitude', [-90, 90]),
    longitude: numberIn(from, 'longitude', [-180, 180]),
    iotID: text(from, 'iotID', [1, 200]),
    temperature: numberIn(from, 'temperature', [-60, 60]),
  }
}

function numberIn(from: Fields, name: string, [min, max]: readonly [number, number]): number {
  const value = from.of[name]
  if (typeof value !== 'number' || value < min || value > max)
    throw new FormatError(`${from.path}.${name}`, `must be a number from ${min} to ${max}`)
  return value
}

/** What a phone or gateway says of a reading beside it. Without `prev` the statement is of the older form. */
export type AboutReading = {
  key: string
  counter: number
  box: string
  battery?: number | undefined
  prev?: string | undefined
}

/** The text that a phone or gateway signs for a reading. */
export const jcsStatementText = (reading: SignedReading, { battery, prev, ...about }: AboutReading): string =>
  canonicalize({
    v: 1,
    ...pickReading(reading),
    ...about,
    ...(battery === undefined ? {} : { battery }),
    ...(prev === undefined ? {} : { prev }),
  })

/** A reading's own fields, and nothing else, as records and statements hold them. */
export const pickReading = ({
  time,
  latitude,
  longitude,
  iotID,
  temperature,
}: SignedReading): SignedReading & JsonObject => ({ time, latitude, longitude, iotID, temperature })
