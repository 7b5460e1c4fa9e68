import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type FieldError, ShopError } from '@befaqt/domain/errors'
import { parseNumber } from '@befaqt/domain/typed-number'
import { fileTooLarge, MAX_FILE_BYTES, MAX_IMAGES } from '@befaqt/domain/upload-limits'
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { temporaryFolder } from './received-file.ts'
import { type RawBody, rawBody } from './route.ts'

const MEGABYTE = 1024 * 1024
/** A request with a larger Content-Length is not read at all. */
const MAX_REQUEST_BYTES = 220 * MEGABYTE
/** Limits of the parser, beyond which the request is aborted; the lower limits above answer with a reason. */
const PARSER_LIMITS = { files: 200, fields: 300, fieldSize: 64 * 1024, fieldNameSize: 100, headerPairs: 50 }

/** The request body for `readForm`: a form with a file in the field `file`, or JSON without one. */
export const formBody = (fields: z.ZodObject, file: string): RawBody =>
  rawBody({
    'multipart/form-data': fields.extend({ [file]: z.file().optional() }),
    'application/json': fields,
  })

/** An uploaded file, on disk until the form is disposed. `name`: the client's file name. */
export type UploadedFile = { field: string; name: string; path: string }

/** A parsed form: fields by name, those called `name[]` as a list, and files. `typed`: values came as JSON. */
export type Form = AsyncDisposable & {
  typed: boolean
  body: Record<string, unknown>
  files: readonly UploadedFile[]
}

/** Accepts bodies of `multipart/form-data`. */
export async function acceptMultipart(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { ...PARSER_LIMITS, fileSize: MAX_FILE_BYTES, parts: PARSER_LIMITS.files + PARSER_LIMITS.fields },
  })
}

/**
 * Reads a form, its files to disk and never into memory; a JSON body counts as a form without files. A form with too
 * large or too many files is read to its end, so that the client gets to see the error. Use with `await using`.
 * @throws ShopError `input.too_large`, `input.invalid`
 */
export async function readForm(request: FastifyRequest): Promise<Form> {
  if (!request.isMultipart())
    return {
      typed: true,
      body: asObject(request.body),
      files: [],
      [Symbol.asyncDispose]: async () => undefined,
    }
  if (Number(request.headers['content-length'] ?? 0) > MAX_REQUEST_BYTES) throw tooLarge([])
  await using opened = new AsyncDisposableStack()
  const { path } = opened.use(await temporaryFolder())
  const read = await readParts(request.parts(), path)
  const kept = opened.move()
  return { typed: false, ...read, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

function asObject(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ShopError('input.invalid', 'The body must be an object or a form.')
  return { ...body }
}

async function readParts(parts: AsyncIterable<Multipart>, folder: string) {
  const body: Record<string, unknown> = {}
  const files: UploadedFile[] = []
  const rejected: FieldError[] = []
  let count = 0
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.valueTruncated) rejected.push({ path: part.fieldname, message: 'is too long' })
      addField(body, part.fieldname, part.value)
    } else if (part.filename === '' || part.filename === undefined) part.file.resume()
    else if (++count > MAX_IMAGES) part.file.resume()
    else {
      const stored = await storePart(part, join(folder, String(count)))
      if (stored === undefined) rejected.push({ path: part.fieldname, message: fileTooLarge(part.filename) })
      else files.push(stored)
    }
  }
  if (count > MAX_IMAGES)
    rejected.push({ path: '', message: `${count} files are too many: at most ${MAX_IMAGES} at once` })
  if (rejected.length > 0) throw tooLarge(rejected)
  return { body, files }
}

const tooLarge = (fields: FieldError[]): ShopError =>
  new ShopError('input.too_large', fields.map(({ message }) => message).join('; ') || 'This is too large.', {
    fields,
  })

/** Writes one file to disk; undefined when it is larger than allowed. */
async function storePart(part: MultipartFile, path: string): Promise<UploadedFile | undefined> {
  await pipeline(part.file, createWriteStream(path))
  if (part.file.truncated) return undefined
  return { field: part.fieldname, name: part.filename.slice(0, 200), path }
}

/** @throws ShopError `input.invalid` for a repeated field that is no list */
function addField(body: Record<string, unknown>, name: string, value: unknown): void {
  if (name.endsWith('[]')) {
    const list = body[name.slice(0, -2)]
    body[name.slice(0, -2)] = Array.isArray(list) ? [...list, value] : [value]
    return
  }
  if (Object.hasOwn(body, name))
    throw new ShopError('input.invalid', `The field ${name} is sent twice.`, {
      fields: [{ path: name, message: 'is sent twice' }],
    })
  body[name] = value
}

/**
 * Converts text fields of a form to numbers and booleans ('24.05', '1,200', 'true'); text that is neither stays, for
 * the schema to reject. JSON has types of its own and is left alone.
 */
export function coerceFormFields(
  { typed, body }: Pick<Form, 'typed' | 'body'>,
  names: { numbers: readonly string[]; booleans: readonly string[] },
): Record<string, unknown> {
  if (typed) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, unknown] => {
      if (typeof value !== 'string') return [name, value]
      const text = value.trim()
      if (names.numbers.includes(name)) return [name, parseNumber(text)]
      if (names.booleans.includes(name) && (text === 'true' || text === 'false'))
        return [name, text === 'true']
      return [name, value]
    }),
  )
}
