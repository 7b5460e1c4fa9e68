import { parseJsonText } from '@befaqt/provenance'
import type { FastifyInstance } from 'fastify'

const MAX_DEPTH = 200
/** Members of one object: more than any schema has, and than any list by name needs. */
const MAX_NAMES = 1_000
/** Objects and arrays: several times those of the largest box that is taken. */
const MAX_CONTAINERS = 300_000

/**
 * Parses JSON (RFC 8259) and rejects what is dangerous: duplicate keys (two parsers could see two different values),
 * `__proto__`, numbers outside a double's range, nesting deeper than 200, and more fields in an object than any schema
 * has: these before anything is made of the text. Linear in its length.
 * @throws Error whose message says what is wrong
 */
export function parseStrictJson(text: string): unknown {
  assertBounded(text)
  const value = parseJsonText(text)
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new SyntaxError('nested too deeply')
    level = level.flatMap(valuesIn)
  }
  return value
}

/** @throws SyntaxError where a text, valid or not, would make more objects than are looked at */
function assertBounded(text: string): void {
  const names: number[] = []
  let containers = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '"') i = endOfString(text, i)
    else if (char === '{' || char === '[') {
      if (names.push(0) > MAX_DEPTH + 1) throw new SyntaxError('nested too deeply')
      if (++containers > MAX_CONTAINERS)
        throw new SyntaxError(`more than ${MAX_CONTAINERS} objects and lists`)
    } else if (char === '}' || char === ']') names.pop()
    else if (char === ':') {
      const count = (names.pop() ?? 0) + 1
      if (count > MAX_NAMES) throw new SyntaxError(`an object has more than ${MAX_NAMES} fields`)
      names.push(count)
    }
  }
}

/** Where the string that begins at `start` ends; the length of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i
  }
  return text.length
}

/** The values in an object or array; none for anything else. @throws SyntaxError for a rejected value */
function valuesIn(value: unknown): unknown[] {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new SyntaxError('a number is too large')
  if (typeof value !== 'object' || value === null) return []
  if (Object.hasOwn(value, '__proto__')) throw new SyntaxError('"__proto__" is not a field')
  return Object.values(value)
}

/** Parses every JSON body strictly; an invalid one answers 400 before any handler runs. */
export function useStrictJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    ['application/json', 'application/ld+json'],
    { parseAs: 'string' },
    (_request, body, done) => {
      try {
        done(null, body === '' ? undefined : parseStrictJson(String(body)))
      } catch (error) {
        const message = error instanceof Error ? error.message : 'not JSON'
        done(new JsonError(message), undefined)
      }
    },
  )
}

class JsonError extends Error {
  readonly statusCode = 400
  readonly detail: string
  constructor(detail: string) {
    super(`not readable as JSON: ${detail}`)
    this.detail = detail
  }
}
