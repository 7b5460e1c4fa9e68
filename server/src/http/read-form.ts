import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type FieldError, ShopError } from '@befaqt/domain/errors'
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type UnreadBody, unread } from './route.ts'

const MEGABYTE = 1024 * 1024
/** Bytes of one file, and files of one request. */
const MOST_FILE_BYTES = 10 * MEGABYTE
const MOST_FILES = 20
/** A request that says it is larger is not read at all. */
const MOST_BYTES = 220 * MEGABYTE
/** What is counted and refused with a reason; beyond this the request is cut off. */
const LOOKED_AT = { files: 200, fields: 300, fieldSize: 64 * 1024, fieldNameSize: 100, headerPairs: 50 }

/** The body that `readForm` reads: a form with a file in the field `file`, or JSON without one. */
export const formOf = (fields: z.ZodObject, file: string): UnreadBody =>
  unread({
    'multipart/form-data': fields.extend({ [file]: z.file().optional() }),
    'application/json': fields,
  })

/** A file of a form, on disk until the form is disposed of. `name` is what the sender calls it. */
export type UploadedFile = { field: string; name: string; path: string }

/** What was sent: fields by name, those called `name[]` as a list, and files. `typed`: values came as JSON. */
export type Form = AsyncDisposable & {
  typed: boolean
  body: Record<string, unknown>
  files: readonly UploadedFile[]
}

/** Has bodies of `multipart/form-data` taken. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: { ...LOOKED_AT, fileSize: MOST_FILE_BYTES, parts: LOOKED_AT.files + LOOKED_AT.fields },
  })
}

/**
 * Reads a form, files to disk and never into memory; a JSON body counts as a form without files. A form with too
 * large or too many files is read to its end, so that the refusal reaches the sender. Use with `await using`.
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
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge([])
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-form-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    return { typed: false, ...(await readParts(request.parts(), folder)), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

function asObject(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ShopError('input.invalid', 'The body must be an object or a form.')
  return { ...body }
}

async function readParts(parts: AsyncIterable<Multipart>, folder: string) {
  const body: Record<string, unknown> = {}
  const files: UploadedFile[] = []
  const refused: FieldError[] = []
  let count = 0
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.valueTruncated) refused.push({ path: part.fieldname, message: 'is too long' })
      addField(body, part.fieldname, part.value)
    } else if (part.filename === '' || part.filename === undefined) part.file.resume()
    else if (++count > MOST_FILES) part.file.resume()
    else {
      const stored = await storePart(part, join(folder, String(count)))
      if (stored === undefined)
        refused.push({ path: part.fieldname, message: `${part.filename} has more than 10 MB` })
      else files.push(stored)
    }
  }
  if (count > MOST_FILES)
    refused.push({ path: '', message: `${count} files are too many: at most ${MOST_FILES} at once` })
  if (refused.length > 0) throw tooLarge(refused)
  return { body, files }
}

const tooLarge = (fields: FieldError[]): ShopError =>
  new ShopError('input.too_large', fields.map(({ message }) => message).join('; ') || 'This is too large.', {
    fields,
  })

/** Writes one file to disk; undefined when it is larger than allowed, its rest then thrown away. */
async function storePart(part: MultipartFile, path: string): Promise<UploadedFile | undefined> {
  await pipeline(part.file, createWriteStream(path))
  if (part.file.truncated) return undefined
  return { field: part.fieldname, name: part.filename.slice(0, 200), path }
}

/** @throws ShopError `input.invalid` for a single field that stands twice */
function addField(body: Record<string, unknown>, name: string, value: unknown): void {
  if (name.endsWith('[]')) {
    const list = body[name.slice(0, -2)]
    body[name.slice(0, -2)] = Array.isArray(list) ? [...list, value] : [value]
    return
  }
  if (Object.hasOwn(body, name))
    throw new ShopError('input.invalid', `The field ${name} stands twice.`, {
      fields: [{ path: name, message: 'stands twice' }],
    })
  body[name] = value
}
