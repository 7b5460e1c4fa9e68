import { decode, encode, Tagged } from 'cborg'
import { hashOf, hexOf } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import {
  COUNTERS,
  MAX_STATEMENT_BYTES,
  MAX_STATEMENT_READINGS,
  type Signed,
  type SignedReading,
  type Statement,
} from './statement.ts'

/** Tag of COSE_Sign1. Source: RFC 9052 §2. */
const SIGN1 = 18
/** Labels of header parameters, EdDSA, and the content type of SenML-CBOR. Source: RFC 9052 §3.1, RFC 8428 §12.3. */
const [ALG, CONTENT_TYPE, KID] = [1, 3, 4]
/** Ours, of those that are left to private use: the hash of the statement before. Source: protocol §6, RFC 9052 §11.1. */
const PREV = -70_001
const [EDDSA, SENML_CBOR] = [-8, 112]

/**
 * One encoding for each statement: shortest forms, definite lengths, no name twice, nothing that JSON has no word for.
 * Tags other than that of COSE_Sign1 are refused.
 */
const STRICT = {
  strict: true,
  useMaps: true,
  rejectDuplicateMapKeys: true,
  allowIndefinite: false,
  allowUndefined: false,
  allowInfinity: false,
  allowNaN: false,
  allowBigInt: false,
} as const

/**
 * Reads the statement of a logger: COSE_Sign1 over SenML-CBOR. Source: RFC 9052 §4.2, RFC 8428, standards.md 'Signed
 * readings'.
 * @throws FormatError with what is wrong
 */
export function readCoseStatement(bytes: Uint8Array): Statement {
  const { pack, ...message } = openCose(bytes)
  return { ...message, ...readSenml(pack) }
}

/** What a COSE_Sign1 message holds: a SenML pack, not read yet, and by whom it is. */
type Opened = Omit<Signed, 'counter' | 'box' | 'readings'> & { readonly pack: unknown }

/**
 * Opens a COSE_Sign1 message over SenML-CBOR. Its key's id is in the protected header, and nothing in the unprotected one,
 * so that no byte is free.
 * @throws FormatError with what is wrong
 */
export function openCose(bytes: Uint8Array): Opened {
  if (bytes.length > MAX_STATEMENT_BYTES) throw new FormatError('$', 'is too long')
  const decoded = decoding(bytes, Tagged.preserve(SIGN1))
  if (!(decoded instanceof Tagged)) throw new FormatError('$', 'is not a COSE_Sign1 message')
  const [protectedBytes, unprotected, payload, signature, ...more] = listOf(decoded.value)
  if (
    !(
      protectedBytes instanceof Uint8Array &&
      payload instanceof Uint8Array &&
      signature instanceof Uint8Array
    ) ||
    more.length > 0
  )
    throw new FormatError('$', 'must hold a protected header, an empty map, a payload and a signature')
  if (!(unprotected instanceof Map) || unprotected.size > 0)
    throw new FormatError('$.unprotected', 'must be an empty map')
  if (signature.length !== 64) throw new FormatError('$.signature', 'must have 64 bytes')
  return {
    ...headerIn(decoding(protectedBytes, {})),
    pack: decoding(payload, {}),
    hash: hexOf(hashOf(bytes)),
    message: encode(['Signature1', protectedBytes, new Uint8Array(), payload]),
    signature,
  }
}

/** cborg throws errors of its own; deep nesting and lengths beyond the input end in one, too. */
function decoding(bytes: Uint8Array, tags: ReturnType<typeof Tagged.preserve>): unknown {
  try {
    return decode(bytes, { ...STRICT, tags })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 100) : 'unknown error'
    throw new FormatError('$', `is not CBOR in the accepted form: ${reason}`)
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function headerIn(header: unknown): Pick<Signed, 'key' | 'prev'> {
  if (!(header instanceof Map) || header.size !== (header.has(PREV) ? 4 : 3))
    throw new FormatError(
      '$.protected',
      'must hold algorithm, content type, key id and the hash of the statement before, and nothing else',
    )
  if (header.get(ALG) !== EDDSA) throw new FormatError('$.protected', 'must name EdDSA (-8) as algorithm')
  if (header.get(CONTENT_TYPE) !== SENML_CBOR)
    throw new FormatError('$.protected', 'must name SenML-CBOR (112) as content type')
  return {
    key: hexIn(header, KID, 16),
    prev: header.has(PREV) ? hexIn(header, PREV, 32) : null,
  }
}

/** So many bytes under this label. */
function hexIn(header: ReadonlyMap<unknown, unknown>, name: number, length: number): string {
  const bytes = header.get(name)
  if (!(bytes instanceof Uint8Array) || bytes.length !== length)
    throw new FormatError('$.protected', `must have ${length} bytes under ${name}`)
  return hexOf(bytes)
}

/** Labels of SenML in CBOR. Source: RFC 8428 §6, table 4. */
const label = { bn: -2, bt: -3, bu: -4, n: 0, u: 1, v: 2, vs: 3, t: 6 } as const
const baseLabels: readonly unknown[] = [label.bn, label.bt, label.bu]
const labels: readonly unknown[] = [label.n, label.u, label.v, label.vs, label.t]

/** Times below are relative to now, which nobody knows years later. Source: RFC 8428 §4.5.3. */
const FIRST_ABSOLUTE_S = 2 ** 28
/** The last second of the year 9999. */
const LAST_S = 253_402_300_799

/** A name is the sensor's and, behind the last '_', what is measured. Source: RFC 9039, standards.md. */
const NAME = /^(urn:dev:[a-z0-9]{1,20}:[A-Za-z0-9.:-]{1,100})_([a-z]{1,10})$/

/** One entry of a pack, with the base values in it. */
export type Measured = {
  sensor: string
  what: string
  unit: unknown
  value: unknown
  text: unknown
  timeS: number
}

/** Measures with their unit and range. Units: RFC 8428 §12.1. */
const measures = {
  temp: { unit: 'Cel', range: [-60, 60] },
  lat: { unit: 'lat', range: [-90, 90] },
  lon: { unit: 'lon', range: [-180, 180] },
  bat: { unit: '%EL', range: [0, 100] },
  count: { unit: 'count', range: COUNTERS },
  mass: { unit: 'kg', range: [0, 1_000] },
} as const

/**
 * Reads a SenML pack of one sensor: `temp` in Cel once or more, at a `lat` and `lon` of the same time or none; once each
 * `box` (text) and `count`; `bat` in %EL if it likes. Anything else is refused, so that what was signed is what is shown.
 * @throws FormatError
 */
function readSenml(pack: unknown): Pick<Statement, 'counter' | 'box' | 'battery' | 'readings'> {
  if (!Array.isArray(pack) || pack.length < 3 || pack.length > 3 * MAX_STATEMENT_READINGS + 3)
    throw new FormatError('$.payload', `must be a list with 1 to ${MAX_STATEMENT_READINGS} readings`)
  const all = resolve(pack)
  const { sensor, ...about } = aboutIn(all, ['box', 'temp', 'lat', 'lon', 'bat', 'count'])
  const battery = single(all, 'bat')
  return {
    ...about,
    battery: battery === undefined ? null : measured(battery, 'bat'),
    readings: readingsIn(all, sensor),
  }
}

/**
 * Whose entries these are, about which box, by which counter: all of one sensor, and of these names.
 * @throws FormatError
 */
export function aboutIn(
  all: readonly Measured[],
  known: readonly string[],
): { sensor: string; counter: number; box: string } {
  const sensor = all[0]?.sensor ?? ''
  for (const [i, one] of all.entries()) {
    if (one.sensor !== sensor) throw new FormatError(`$.payload[${i}]`, 'is of another sensor')
    if (!known.includes(one.what))
      throw new FormatError(`$.payload[${i}]`, `must be one of ${known.join(', ')}`)
  }
  const box = single(all, 'box')?.text
  if (typeof box !== 'string' || box.length < 1 || box.length > 64)
    throw new FormatError('$.payload', 'must name the box once')
  const counter = single(all, 'count')
  if (counter === undefined) throw new FormatError('$.payload', 'must have the counter once')
  const count = measured(counter, 'count')
  if (!Number.isSafeInteger(count)) throw new FormatError('$.payload', 'the counter must be a whole number')
  return { sensor, counter: count, box }
}

/**
 * Puts the base values, which only the first record may have, into every record. Source: RFC 8428 §4.6.
 * @throws FormatError
 */
export function resolve(pack: readonly unknown[]): Measured[] {
  const first: unknown = pack[0]
  const base = first instanceof Map ? first : new Map<unknown, unknown>()
  const baseName = base.get(label.bn) ?? ''
  const baseTime = base.get(label.bt) ?? 0
  return pack.map((record, i) => {
    const path = `$.payload[${i}]`
    if (!(record instanceof Map)) throw new FormatError(path, 'must be a map')
    for (const [key, said] of record)
      if (said === null || !(labels.includes(key) || (i === 0 && baseLabels.includes(key))))
        throw new FormatError(path, 'has a label that is not accepted')
    const name = record.get(label.n) ?? ''
    const [, sensor, what] =
      typeof baseName === 'string' && typeof name === 'string' ? (NAME.exec(baseName + name) ?? []) : []
    if (sensor === undefined || what === undefined)
      throw new FormatError(path, 'must be named like urn:dev:mac:0024befffe804ff1_temp')
    const time = record.get(label.t) ?? 0
    if (typeof baseTime !== 'number' || typeof time !== 'number')
      throw new FormatError(path, 'must have a time in seconds')
    const [value, text] = [record.get(label.v), record.get(label.vs)]
    if ((what === 'box' || what === 'of') && (value !== undefined || record.has(label.u)))
      throw new FormatError(path, `must hold ${what} as text alone`)
    const unit: unknown = record.get(label.u) ?? base.get(label.bu)
    return { sensor, what, unit, value, text, timeS: baseTime + time }
  })
}

/** The one entry of a name, where there is one. @throws FormatError when there are more */
export function single(all: readonly Measured[], what: string): Measured | undefined {
  const found = all.filter((one) => one.what === what)
  if (found.length > 1) throw new FormatError('$.payload', `must have ${what} once`)
  return found[0]
}

/** The value of an entry, in its unit and range. @throws FormatError */
export function measured({ unit, value, text }: Measured, what: keyof typeof measures): number {
  const { unit: wanted, range } = measures[what]
  const [min, max] = range
  if (unit !== wanted || text !== undefined)
    throw new FormatError('$.payload', `${what} must be in ${wanted}`)
  if (typeof value !== 'number' || value < min || value > max)
    throw new FormatError('$.payload', `${what} must be a number from ${min} to ${max}`)
  return value
}

function readingsIn(all: readonly Measured[], iotID: string): SignedReading[] {
  const at = (what: 'lat' | 'lon'): Map<number, number> => {
    const found = all.filter((one) => one.what === what)
    return new Map(found.map((one) => [one.timeS, measured(one, what)]))
  }
  const [latitudes, longitudes] = [at('lat'), at('lon')]
  const temperatures = all.filter(({ what }) => what === 'temp')
  const times = new Set(temperatures.map(({ timeS }) => timeS))
  const placed = all.filter(({ what }) => what === 'lat' || what === 'lon').length
  if (times.size !== temperatures.length || times.size === 0 || times.size > MAX_STATEMENT_READINGS)
    throw new FormatError(
      '$.payload',
      `must have 1 to ${MAX_STATEMENT_READINGS} temperatures, each of another time`,
    )
  if (
    placed !== latitudes.size + longitudes.size ||
    ![...latitudes.keys(), ...longitudes.keys()].every((time) => times.has(time))
  )
    throw new FormatError('$.payload', 'has a position without a temperature, or two of one time')
  return temperatures.map((one): SignedReading => {
    const { timeS } = one
    const [latitude, longitude] = [latitudes.get(timeS), longitudes.get(timeS)]
    if ((latitude === undefined) !== (longitude === undefined))
      throw new FormatError('$.payload', 'has half a position')
    const place = { latitude: latitude ?? 0, longitude: longitude ?? 0 }
    return { time: timeText(timeS), ...place, iotID, temperature: measured(one, 'temp') }
  })
}

/**
 * UTC with milliseconds, `floor(seconds × 1000 + 0.5)` of the exact value of the double: `2026-11-21T01:02:03.000Z`. The
 * fraction of a second has at most 24 bits here, so a thousand times it is exact; the product of the whole is not.
 */
export function timeText(seconds: number): string {
  if (seconds < FIRST_ABSOLUTE_S || seconds > LAST_S)
    throw new FormatError('$.payload', 'must have a time in seconds since 1970')
  const whole = Math.floor(seconds)
  return new Date(whole * 1_000 + Math.floor((seconds - whole) * 1_000 + 0.5)).toISOString()
}
