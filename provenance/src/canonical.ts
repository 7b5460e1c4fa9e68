import { utf8 } from './digest.ts'
import { FormatError } from './format-error.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export type JsonObject = { readonly [name: string]: JsonValue }

/** Deeper nesting is refused, so that a hostile document can't exhaust the stack. */
export const MAX_DEPTH = 64

/**
 * The canonical text of a JSON value: names sorted by UTF-16 units, no white space, numbers and
 * strings as ECMAScript writes them. Anything JSON can't hold is refused, never dropped or replaced.
 * Source: RFC 8785 §3.2.
 * @throws FormatError as `jsonCopy` does
 */
export function canonicalize(value: unknown, maxDepth = MAX_DEPTH): string {
  const { copy, hasIndex } = sorted(value, maxDepth, '$')
  // ECMAScript writes strings and numbers as RFC 8785 §3.2.2 says, and names in the order in which the copy got them.
  return hasIndex ? write(copy) : JSON.stringify(copy)
}

/**
 * A copy of a JSON value, names sorted but for indexes: what `JSON.parse` makes of its canonical text. It reads every part
 * once, so that nothing which changes meanwhile, or answers differently the second time, gets past what is checked here.
 * @throws FormatError for undefined, NaN, infinities, lone surrogates, bigints, functions, dates and other
 * objects with a prototype of their own, holes in arrays, cycles and nesting beyond `maxDepth`; `path`: to the value.
 */
export const jsonCopy = (value: unknown, maxDepth = MAX_DEPTH, path = '$'): JsonValue =>
  sorted(value, maxDepth, path).copy

/** UTF-8 bytes of the canonical text; what all hashes of the protocol are taken of. */
export const canonicalBytes = (value: unknown): Uint8Array => utf8(canonicalize(value))

/** Is this an object as JSON.parse makes them, and not an array, a class instance or a map? */
export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object from another window has that window's Object.prototype: also one step from the end.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** `hasIndex`: a name begins with a digit; objects name indexes before all others, whatever the order in which they got them. */
function sorted(root: unknown, maxDepth: number, path: string): { copy: JsonValue; hasIndex: boolean } {
  /** Names and places on the way to the value being copied; only an error makes text of it. */
  const trail: (string | number)[] = []
  let hasIndex = false
  return { copy: copyOf(root, maxDepth), hasIndex }

  function refuse(reason: string): never {
    const way = trail.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
    throw new FormatError(path + way, reason)
  }

  function copyOf(value: unknown, deeper: number): JsonValue {
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') return wellFormed(value)
    if (typeof value === 'number')
      return Number.isFinite(value) ? value + 0 : refuse(`is not a JSON number (${value})`) // -0 is written 0
    if (deeper === 0) refuse('is nested too deep')
    if (Array.isArray(value)) return Array.from({ length: value.length }, (_, i) => partOf(value, i, deeper))
    return isPlainObject(value) ? copyOfObject(value, deeper) : refuse(`is not JSON (${typeof value})`)
  }

  function wellFormed(text: string): string {
    return text.isWellFormed() ? text : refuse('must not hold a lone surrogate')
  }

  /** A hole of a list reads as undefined: refused. */
  function partOf(whole: object, step: string | number, deeper: number): JsonValue {
    trail.push(step)
    if (typeof step === 'string' && /^\d/.test(wellFormed(step))) hasIndex = true
    const part = copyOf((whole as Record<string | number, unknown>)[step], deeper - 1)
    trail.pop()
    return part
  }

  function copyOfObject(object: object, deeper: number): JsonObject {
    const copy: { [name: string]: JsonValue } = {}
    // The default order of sort compares UTF-16 units: RFC 8785 §3.2.3.
    for (const name of Object.keys(object).sort()) {
      const value = partOf(object, name, deeper)
      if (name === '__proto__') Object.defineProperty(copy, name, { value, enumerable: true })
      else copy[name] = value
    }
    return copy
  }
}

/** Text of a copy, where the order in which objects name their members is not that of the canonical form. */
function write(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write)}]`
  const object = value as JsonObject
  return `{${Object.keys(object)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${write(object[name] as JsonValue)}`)}}`
}

/** Strings of a JSON text, each with the colon after it when it is a member's name. */
const STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g

/**
 * The value of a JSON text, where no object gives a name twice: of two members with one name another reader might see
 * the other. Source: RFC 8785 §3.1, RFC 7493 §2.3.
 * @throws FormatError for anything else
 */
export function parseJsonText(text: string): unknown {
  const value = parsed(text)
  let names = 0
  for (const [, colon] of text.matchAll(STRINGS)) if (colon !== undefined) names += 1
  if (names !== countNames(value)) throw new FormatError('$', 'gives a name twice')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FormatError('$', 'is not JSON')
  }
}

/** Members of all objects in a value; walks without recursion, for JSON.parse takes any depth. */
function countNames(value: unknown): number {
  const open = [value]
  let names = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner: unknown[] = Object.values(next)
    if (!Array.isArray(next)) names += inner.length
    for (const item of inner) open.push(item)
  }
  return names
}
