import { once } from 'node:events'
import { plainIssue } from '@befaqt/domain/api/problem'
import { type ErrorBody, type FieldError, ShopError } from '@befaqt/domain/errors'
import { refusedField } from '@befaqt/domain/field-labels'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { namesGoneAccount } from '#server/db/sql-errors.ts'
import { isDatabaseUnreachable } from '#server/db/unreachable.ts'
import type { Principal } from '#server/identity/principal.ts'

/** The path of a field as a caller would write it: `iotTracking[3].latitude`. */
const fieldPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`,
    '',
  )

/** Field errors in one response: a hostile body must not inflate it. */
const MAX_FIELD_ERRORS = 100

/** Converts a schema's error to one with the path of every invalid field. */
export function toValidationError(error: z.ZodError): ShopError {
  const found: FieldError[] = error.issues.slice(0, MAX_FIELD_ERRORS).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, MAX_FIELD_ERRORS).map((key) => ({
          path: fieldPath([...issue.path, key]),
          message: 'is not a known field',
        }))
      : [{ path: fieldPath(issue.path), message: issue.message }],
  )
  return validationError(found.slice(0, MAX_FIELD_ERRORS), error)
}

/** An error about these fields: a message for people and, in `fields`, data for programs. */
function validationError(fields: readonly FieldError[], cause?: unknown): ShopError {
  const message = fields.map(({ path, message }) => refusedField(path, message)).join('; ')
  return new ShopError('input.invalid', message.slice(0, 1_000), { fields, cause })
}

/**
 * Parses untrusted input with the schema that its page shares. Strings with NUL or unpaired surrogates, which JSON can
 * escape, are rejected wherever they are: what is stored would not be what was sent.
 * @param more errors found elsewhere, so that all of them are reported at once
 * @throws ShopError `input.invalid`
 */
export function parse<S extends z.ZodType>(
  schema: S,
  input: unknown,
  more: readonly FieldError[] = [],
): z.output<S> {
  const data = parseOutline(schema, input, more)
  const malformed = illFormed(input).map((path) => ({ path: fieldPath(path), message: UNSHOWABLE }))
  if (malformed.length > 0) throw validationError(malformed)
  return data
}

/** `parse` for a body whose items are validated one by one afterwards. @throws ShopError `input.invalid` */
export function parseOutline<S extends z.ZodType>(
  schema: S,
  input: unknown,
  more: readonly FieldError[] = [],
): z.output<S> {
  const parsed = schema.safeParse(input, { error: plainIssue })
  const fields = [...(parsed.success ? [] : toValidationError(parsed.error).fields), ...more]
  if (!parsed.success || fields.length > 0) throw validationError(fields, parsed.error)
  return parsed.data
}

const UNSHOWABLE = 'has characters that cannot be shown'

/** No text has NUL, and no database stores it. */
const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0')

/** Paths of strings that are no text, at most `MAX_FIELD_ERRORS`. Iterates instead of recursing. */
function illFormed(input: unknown): PropertyKey[][] {
  const found: PropertyKey[][] = []
  const stack: [value: unknown, path: PropertyKey[]][] = [[input, []]]
  for (let next = stack.pop(); next !== undefined && found.length < MAX_FIELD_ERRORS; next = stack.pop()) {
    const [value, path] = next
    if (typeof value === 'string' && !isText(value)) found.push(path)
    if (Array.isArray(value)) for (const [i, item] of value.entries()) stack.push([item, [...path, i]])
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) {
        if (isText(key)) stack.push([item, [...path, key]])
        else found.push(path)
      }
  }
  return found
}

/** The error handler: known errors are sent as they are; bugs are logged with their stack and reported as 500. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(
    async (error: FastifyError | ShopError | Error, request: FastifyRequest, reply: FastifyReply) => {
      const known = toShopError(error, request)
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
      if (known.status === 413) await drainRequestBody(request, reply)
      reply.code(known.status)
      if (isPageRequest(known, request))
        return reply.type('text/plain; charset=utf-8').send(plainTextOf(known))
      return reply.send(errorBody(known))
    },
  )
}

/** Is this "try again later" in answer to a page request, for a person to read? */
const isPageRequest = ({ status }: ShopError, { method, url }: FastifyRequest): boolean =>
  (status === 429 || status === 503) && SAFE_METHODS.has(method) && !isApiPath(url)

const plainTextOf = ({ status, message }: ShopError): string => `${status}: ${message}\n`

/** A body with a larger Content-Length is not drained. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024
const DRAIN_TIMEOUT_MS = 30_000

/**
 * Reads a rejected body to its end and discards it: many clients write all of it before they read the response, and
 * would see a broken connection instead of the error.
 */
async function drainRequestBody({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (raw.readableEnded || raw.destroyed || !(Number(raw.headers['content-length']) <= MAX_DRAINED_BYTES))
    return
  const end = new Promise((resolve) => raw.once('end', resolve).once('close', resolve))
  const timeout = AbortSignal.timeout(DRAIN_TIMEOUT_MS)
  raw.resume()
  await Promise.race([end, once(timeout, 'abort')])
  reply.removeHeader('connection')
}

/** The JSON body of an error response. */
const errorBody = (error: ShopError): ErrorBody => ({
  error: {
    code: error.code,
    message: error.message,
    ...(error.fields.length > 0 ? { fields: error.fields } : {}),
    ...error.details,
  },
})

/** The error while the database cannot be reached. */
export const databaseUnavailable = (cause: unknown): ShopError =>
  new ShopError('unavailable', 'The shop can’t reach its database right now. Please try again in a moment.', {
    details: { retryAfterS: 2 },
    cause,
  })

/** Methods without side effects. Source: RFC 9110 §9.2.1. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The error after a route's timeout. A write may still complete: its message must not say that nothing was done. */
export function requestTimeout({ method }: FastifyRequest, cause?: Error): ShopError {
  const message = SAFE_METHODS.has(method)
    ? 'This took too long. Please try again.'
    : 'This is taking too long. It may have been done or may still be done: please check before you try again.'
  return new ShopError('unavailable', message, { details: { retryAfterS: 5 }, cause })
}

/** Errors of the framework and of the storage as our own; undefined for a bug. */
function toShopError(
  error: FastifyError | ShopError | Error,
  request: FastifyRequest,
): ShopError | undefined {
  if (error instanceof ShopError) return error
  if (error instanceof z.ZodError) return toValidationError(error)
  if (isStorageFull(error))
    return new ShopError('insufficient_storage', "The shop's disk is full. Nothing was saved.", {
      cause: error,
    })
  if (isDatabaseUnreachable(error)) return databaseUnavailable(error)
  if (isGone(request.principal, error))
    return new ShopError('auth.required', 'This account was deleted in the meantime. Nothing was done.', {
      cause: error,
    })
  if ('code' in error && error.code === 'FST_ERR_HANDLER_TIMEOUT') return requestTimeout(request, error)
  if (!('statusCode' in error) || error.statusCode === undefined || error.statusCode >= 500) return undefined
  if (error.statusCode === 413)
    return new ShopError('input.too_large', 'This is too large.', { cause: error })
  if (error.statusCode === 415)
    return new ShopError('input.media_type', 'This media type is not accepted.', { cause: error })
  if (error.statusCode === 429)
    return new ShopError('rate.limited', 'Too many requests. Please wait a moment.', { cause: error })
  return new ShopError('input.invalid', 'The request could not be read.', { cause: error })
}

/** Was the account of whoever asks deleted while the request was worked on? */
const isGone = (principal: Principal | undefined, error: Error): boolean =>
  principal?.kind === 'user' && namesGoneAccount(error, principal.userId)

/** Error codes of the system (POSIX errno) and of PostgreSQL (`disk_full`, appendix A). */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Did something fail because there is no space left? The system's error may be the cause of another one. */
export function isStorageFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && FULL.has(String(error.code))) || isStorageFull(error.cause)
}

/** The error for a URL without a route. */
export const notFound = (): ShopError => new ShopError('not_found', 'There is nothing at this address.')

/** Is this a path of the API, not of a page? */
export const isApiPath = (url: string): boolean => /^\/api(\/|\?|$)/.test(url)

/** Unknown API paths answer a JSON error like any other; without this, `/api/…` would be served as a page. */
export function handleNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorBody(notFound())))
}

/** @throws ShopError `not_found` for a URL under /api without a route */
export function rejectUnknownApiPath(url: string): void {
  if (isApiPath(url)) throw notFound()
}

/** Rejects URLs with malformed percent-encoding, which reach no route. Source: RFC 3986 §2.1. */
export function rejectMalformedUrl(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  const rejection = new ShopError('input.invalid', 'This address cannot be read.', { cause: error })
  void reply.code(rejection.status).send(errorBody(rejection))
}
