import type { FastifyInstance } from 'fastify'

/**
 * JSON as RFC 8259 has it, but with what is dangerous refused: duplicate keys (two readers could see two
 * different values) and `__proto__`. Numbers outside a double's range are refused too.
 */
export function parseJsonStrictly(text: string): unknown {
  assertUniqueKeys(text)
  return JSON.parse(text, (key, value: unknown) => {
    if (key === '__proto__') throw new SyntaxError('"__proto__" is not a field')
    if (typeof value === 'number' && !Number.isFinite(value)) throw new SyntaxError('a number is too large')
    return value
  })
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gsu

/** One pass over the tokens, remembering the keys of each open object. */
function assertUniqueKeys(text: string): void {
  const open: (Set<string> | null)[] = []
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(null)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':' && last.startsWith('"')) addKey(open.at(-1), last)
    if (open.length > 200) throw new SyntaxError('nested too deeply')
    last = token
  }
}

function addKey(keys: Set<string> | null | undefined, token: string): void {
  const key = String(JSON.parse(token))
  if (keys?.has(key)) throw new SyntaxError(`the field ${JSON.stringify(key)} stands twice`)
  keys?.add(key)
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
