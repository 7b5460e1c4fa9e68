import { parseJsonText } from '@befaqt/provenance'
import type { FastifyInstance } from 'fastify'

const MAX_DEPTH = 200

/**
 * JSON as RFC 8259 has it, but with what is dangerous refused: duplicate keys (two readers could see two different
 * values), `__proto__`, numbers outside a double's range, and depth beyond 200. Takes time in proportion to the text.
 * @throws Error whose message says what is wrong
 */
export function parseJsonStrictly(text: string): unknown {
  const value = parseJsonText(text)
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new SyntaxError('nested too deeply')
    level = level.flatMap(valuesIn)
  }
  return value
}

/** What an object or array holds; of anything else, nothing. @throws SyntaxError for what is not taken */
function valuesIn(value: unknown): unknown[] {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new SyntaxError('a number is too large')
  if (typeof value !== 'object' || value === null) return []
  if (Object.hasOwn(value, '__proto__')) throw new SyntaxError('"__proto__" is not a field')
  return Object.values(value)
}

/** Has every JSON body read strictly; a bad one answers 400 before any handler runs. */
export function readJsonStrictly(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : parseJsonStrictly(String(body)))
    } catch (error) {
      const message = error instanceof Error ? error.message : 'not JSON'
      done(new JsonError(message), undefined)
    }
  })
}

class JsonError extends Error {
  readonly statusCode = 400
  readonly detail: string
  constructor(detail: string) {
    super(`not readable as JSON: ${detail}`)
    this.detail = detail
  }
}
