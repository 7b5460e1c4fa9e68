import { parseJsonText } from '@befaqt/provenance'
import type { FastifyInstance } from 'fastify'

const MAX_DEPTH = 200

/**
 * Parses JSON (RFC 8259) and rejects what is dangerous: duplicate keys (two parsers could see two different values),
 * `__proto__`, numbers outside a double's range, and nesting deeper than 200. Linear in the length of the text.
 * @throws Error whose message says what is wrong
 */
export function parseStrictJson(text: string): unknown {
  const value = parseJsonText(text)
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new SyntaxError('nested too deeply')
    level = level.flatMap(valuesIn)
  }
  return value
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
