import { once } from 'node:events'
import { type ErrorBody, type FieldError, ShopError } from '@befaqt/domain/errors'
import { refusedField } from '@befaqt/domain/field-labels'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isDatabaseAway } from '#server/db/unreachable.ts'
import { isCall } from './is-call.ts'
import { isStorageFull } from './storage-full.ts'

/** Path of a field as a caller would write it: `iotTracking[3].latitude`. */
const fieldPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  )

/** At most this many refused fields are told: a hostile body must not make a bigger answer. */
const MOST_FIELDS = 100

/** Turns a schema's refusal into one with the path of every bad field. */
export function refusalOf(error: z.ZodError): ShopError {
  const fields: FieldError[] = error.issues.slice(0, MOST_FIELDS).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          path: fieldPath([...issue.path, key]),
          message: 'is not a known field',
        }))
      : [{ path: fieldPath(issue.path), message: issue.message }],
  )
  return refusalOfFields(fields, error)
}

/** A refusal of these fields, in words for people and, in `fields`, for machines. */
function refusalOfFields(fields: readonly FieldError[], cause?: unknown): ShopError {
  const message = fields.map(({ path, message }) => refusedField(path, message)).join('; ')
  return new ShopError('input.invalid', message.slice(0, 1_000), { fields, cause })
}

/**
 * Parses what came from outside with the schema that its page shares. Texts with halves of characters (unpaired
 * surrogates, which JSON can escape) are refused wherever they stand: what is stored would not be what was sent.
 * @param more what else was found wrong, so that all of it is told at once
 * @throws ShopError `input.invalid`
 */
export function parse<S extends z.ZodType>(
  schema: S,
  input: unknown,
  more: readonly FieldError[] = [],
): z.output<S> {
  const data = parseOutline(schema, input, more)
  const halves = illFormed(input).map((path) => ({ path: fieldPath(path), message: HALVES }))
  if (halves.length > 0) throw refusalOfFields(halves)
  return data
}

/** `parse` for a body whose items are parsed and refused one by one afterwards. @throws ShopError `input.invalid` */
export function parseOutline<S extends z.ZodType>(
  schema: S,
  input: unknown,
  more: readonly FieldError[] = [],
): z.output<S> {
  const parsed = schema.safeParse(input)
  const fields = [...(parsed.success ? [] : refusalOf(parsed.error).fields), ...more]
  if (!parsed.success || fields.length > 0) throw refusalOfFields(fields, parsed.error)
  return parsed.data
}

const HALVES = 'has characters that cannot be shown'

/** Where texts with halves of characters stand, at most `MOST_FIELDS` of them. Walks without recursion. */
function illFormed(input: unknown): PropertyKey[][] {
  const found: PropertyKey[][] = []
  const open: [value: unknown, path: PropertyKey[]][] = [[input, []]]
  for (let next = open.pop(); next !== undefined && found.length < MOST_FIELDS; next = open.pop()) {
    const [value, path] = next
    if (typeof value === 'string' && !value.isWellFormed()) found.push(path)
    if (Array.isArray(value)) for (const [i, item] of value.entries()) open.push([item, [...path, i]])
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) {
        if (key.isWellFormed()) open.push([item, [...path, key]])
        else found.push(path)
      }
  }
  return found
}

/** The one place where failures become answers: known ones as they are, bugs logged whole and shown as nothing. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(
    async (error: FastifyError | ShopError | Error, request: FastifyRequest, reply: FastifyReply) => {
      const known = knownError(error, request)
      if (known === undefined) {
        request.log.error({ err: error }, 'request failed')
        const body: ErrorBody = { error: { code: 'internal', message: 'Something went wrong.' } }
        return reply.code(500).send(body)
      }
      if (known.cause !== undefined && known.status >= 500)
        request.log.warn({ err: known.cause }, 'request failed')
      const level = known.status >= 500 ? 'warn' : 'info'
      request.log[level]({ code: known.code, status: known.status }, known.message.slice(0, 300))
      const { retryAfterS } = known.details
      if (typeof retryAfterS === 'number') reply.header('retry-after', retryAfterS)
      if (known.status === 413) await hearOut(request, reply)
      reply.code(known.status)
      if (isForReading(known, request)) return reply.type('text/plain; charset=utf-8').send(wordsOf(known))
      return reply.send(bodyOf(known))
    },
  )
}

/** Is a person told to come back, who asked for a page? */
const isForReading = ({ status }: ShopError, { method, url }: FastifyRequest): boolean =>
  (status === 429 || status === 503) && READS.has(method) && !isCall(url)

const wordsOf = ({ status, message }: ShopError): string => `${status}: ${message}\n`

/** Of a body that says it is larger nothing more is read. */
const MOST_HEARD_OUT = 64 * 1024 * 1024
const HEAR_OUT_MS = 30_000

/**
 * Reads a refused body to its end and throws it away: many clients write all of it before they look for an answer,
 * and would see a broken connection instead of the refusal.
 */
async function hearOut({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (raw.readableEnded || raw.destroyed || !(Number(raw.headers['content-length']) <= MOST_HEARD_OUT)) return
  const end = new Promise((resolve) => raw.once('end', resolve).once('close', resolve))
  const patience = AbortSignal.timeout(HEAR_OUT_MS)
  raw.resume()
  await Promise.race([end, once(patience, 'abort')])
  reply.removeHeader('connection')
}

/** The JSON that a refused call answers. */
export const bodyOf = (error: ShopError): ErrorBody => ({
  error: {
    code: error.code,
    message: error.message,
    ...(error.fields.length > 0 ? { fields: error.fields } : {}),
    ...error.details,
  },
})

/** What callers are told while the database is away. */
export const databaseAway = (cause: unknown): ShopError =>
  new ShopError('unavailable', 'The shop cannot reach its database just now. Please try again in a moment.', {
    details: { retryAfterS: 2 },
    cause,
  })

/** Methods that change nothing. */
export const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A change may go on after its time is up, and nobody should believe that it was not made. */
export function tookTooLong({ method }: FastifyRequest, cause?: Error): ShopError {
  const message = READS.has(method)
    ? 'This took too long. Please try again.'
    : 'This takes too long. It may still be done, or be done already: please look before you try again.'
  return new ShopError('unavailable', message, { details: { retryAfterS: 5 }, cause })
}

/** Failures that the framework finds before our code runs, in our words. */
function knownError(error: FastifyError | ShopError | Error, request: FastifyRequest): ShopError | undefined {
  if (error instanceof ShopError) return error
  if (error instanceof z.ZodError) return refusalOf(error)
  if (isStorageFull(error))
    return new ShopError('insufficient_storage', "The shop's disk is full. Nothing was saved.", {
      cause: error,
    })
  if (isDatabaseAway(error)) return databaseAway(error)
  if ('code' in error && error.code === 'FST_ERR_HANDLER_TIMEOUT') return tookTooLong(request, error)
  if (!('statusCode' in error) || error.statusCode === undefined || error.statusCode >= 500) return undefined
  if (error.statusCode === 413)
    return new ShopError('input.too_large', 'This is too large.', { cause: error })
  if (error.statusCode === 415)
    return new ShopError('input.media_type', 'This media type is not taken here.', { cause: error })
  if (error.statusCode === 429)
    return new ShopError('rate.limited', 'Too many requests. Please wait a moment.', { cause: error })
  return new ShopError('input.invalid', 'The request could not be read.', { cause: error })
}
