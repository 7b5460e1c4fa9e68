import { isPlainObject } from './canonical.ts'
import { FormatError } from './format-error.ts'

/** An object whose fields are looked at one by one, each with its path for the error text. */
export interface Fields {
  readonly path: string
  readonly of: { readonly [name: string]: unknown }
}

/** The object at `path`: every `required` name, `optional` ones if they like, nothing else. @throws FormatError */
export function fields(
  value: unknown,
  path: string,
  required: readonly string[],
  optional: readonly string[] = [],
): Fields {
  if (!isPlainObject(value)) throw new FormatError(path, 'must be an object')
  for (const name of required)
    if (!Object.hasOwn(value, name)) throw new FormatError(`${path}.${name}`, 'is missing')
  for (const name of Object.keys(value)) {
    if (!required.includes(name) && !optional.includes(name))
      throw new FormatError(`${path}.${name}`, 'is not known')
  }
  return { path, of: value }
}

/** A list with `min` to `max` items, each read by `read`. @throws FormatError */
export function list<T>(
  from: Fields,
  name: string,
  [min, max]: readonly [number, number],
  read: (item: unknown, path: string) => T,
): T[] {
  const value = from.of[name]
  const path = `${from.path}.${name}`
  if (!Array.isArray(value)) throw new FormatError(path, 'must be a list')
  if (value.length < min || value.length > max)
    throw new FormatError(path, `must hold ${min} to ${max} items`)
  return value.map((item: unknown, i) => read(item, `${path}[${i}]`))
}

/** A whole number from `min` to `max`. @throws FormatError */
export function integer(from: Fields, name: string, [min, max]: readonly [number, number]): number {
  const value = from.of[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max)
    throw new FormatError(`${from.path}.${name}`, `must be a whole number from ${min} to ${max}`)
  return value
}

/** Well-formed text of `min` to `max` UTF-16 units. @throws FormatError */
export function text(from: Fields, name: string, [min, max]: readonly [number, number]): string {
  const value = from.of[name]
  if (typeof value !== 'string' || !value.isWellFormed() || value.length < min || value.length > max)
    throw new FormatError(`${from.path}.${name}`, `must be text of ${min} to ${max} characters`)
  return value
}

/** Text that matches `pattern`; `what` says in words what that is. @throws FormatError */
export function matching(from: Fields, name: string, pattern: RegExp, what: string): string {
  const value = from.of[name]
  if (typeof value !== 'string' || !pattern.test(value))
    throw new FormatError(`${from.path}.${name}`, `must be ${what}`)
  return value
}

/** A hash: 64 lower-case hex characters. @throws FormatError */
export const hex64 = (from: Fields, name: string): string =>
  matching(from, name, /^[0-9a-f]{64}$/, '64 lower-case hex characters')

/** true or false. @throws FormatError */
export function flag(from: Fields, name: string): boolean {
  const value = from.of[name]
  if (typeof value !== 'boolean') throw new FormatError(`${from.path}.${name}`, 'must be true or false')
  return value
}

/** Exactly this value. @throws FormatError */
export function literal<const T extends string | number | boolean>(from: Fields, name: string, wanted: T): T {
  if (from.of[name] !== wanted)
    throw new FormatError(`${from.path}.${name}`, `must be ${JSON.stringify(wanted)}`)
  return wanted
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-](\d\d):(\d\d))$/
const MARKET_LOCAL = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/

/**
 * Is this a time as a record may give it: RFC 3339 with offset, or market-local `YYYY-MM-DD HH:MM:SS`, on a day
 * that exists? Source: protocol §1, RFC 3339 §5.6 and §5.7 (second 60 only with an offset, for leap seconds).
 */
export function isTimestamp(text: string): boolean {
  const local = MARKET_LOCAL.exec(text)
  const parts = (local ?? RFC_3339.exec(text))?.slice(1).map((part) => Number(part ?? 0))
  if (parts === undefined) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] =
    parts
  const dayExists = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  const offsetExists = offsetHour <= 23 && offsetMinute <= 59
  return dayExists && hour <= 23 && minute <= 59 && second <= (local === null ? 60 : 59) && offsetExists
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2) return leap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** A block's time, whole seconds since 1970 (UTC), as bundles write it: `2026-11-21T01:02:03Z`. */
export const blockTimeText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Seconds since 1970 of a bundle's block time; undefined unless it is written exactly as `blockTimeText` does. */
export function blockTimeSeconds(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return undefined
  const seconds = Date.parse(text) / 1000
  return Number.isSafeInteger(seconds) && blockTimeText(seconds) === text ? seconds : undefined
}
