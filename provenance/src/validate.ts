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
