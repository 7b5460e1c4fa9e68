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
 * @throws FormatError for undefined, NaN, infinities, lone surrogates, bigints, functions, dates and other
 * objects with a prototype of their own, holes in arrays, cycles and nesting beyond `maxDepth`.
 */
export const canonicalize = (value: unknown, maxDepth = MAX_DEPTH): string => write(value, [], maxDepth)

/** UTF-8 bytes of the canonical text; what all hashes of the protocol are taken of. */
export const canonicalBytes = (value: unknown): Uint8Array => utf8(canonicalize(value))

/** Is this an object as JSON.parse makes them, and not an array, a class instance or a map? */
export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object from another window has that window's Object.prototype: also one step from the end.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Names and places on the way to the value being written; only an error makes text of it. */
type Trail = (string | number)[]

function refuse(trail: Trail, reason: string): never {
  const path = trail.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  throw new FormatError(`$${path}`, reason)
}

function write(value: unknown, trail: Trail, deeper: number): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return writeText(value, trail)
  if (typeof value === 'number') return writeNumber(value, trail)
  if (deeper === 0) refuse(trail, 'is nested too deep')
  if (Array.isArray(value)) return writeArray(value, trail, deeper - 1)
  if (isPlainObject(value)) return writeObject(value, trail, deeper - 1)
  return refuse(trail, `is not JSON (${typeof value})`)
}

function writeText(text: string, trail: Trail): string {
  if (!text.isWellFormed()) refuse(trail, 'must not hold a lone surrogate')
  return JSON.stringify(text) // escapes exactly what RFC 8785 §3.2.2.2 says
}

function writeNumber(number: number, trail: Trail): string {
  if (!Number.isFinite(number)) refuse(trail, `is not a JSON number (${number})`)
  return JSON.stringify(number) // RFC 8785 §3.2.2.3 is this very algorithm; -0 is written 0
}

function writeArray(items: readonly unknown[], trail: Trail, deeper: number): string {
  let text = ''
  for (let i = 0; i < items.length; i++) {
    trail.push(i)
    text += (i === 0 ? '' : ',') + write(items[i], trail, deeper) // a hole reads as undefined: refused
    trail.pop()
  }
  return `[${text}]`
}

function writeObject(object: { readonly [name: string]: unknown }, trail: Trail, deeper: number): string {
  let text = ''
  // The default order of sort compares UTF-16 units: RFC 8785 §3.2.3.
  for (const name of Object.keys(object).sort()) {
    trail.push(name)
    text += `${(text === '' ? '' : ',') + writeText(name, trail)}:${write(object[name], trail, deeper)}`
    trail.pop()
  }
  return `{${text}}`
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
