import * as endpoints from '@befaqt/domain/api/endpoints/files'
import { HOUR_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { and, asc, eq, gte } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { type VariantFormat, variantFormats } from '#server/images/image-processor.ts'
import { throttle } from './file-store.ts'
import { readObject, type StoredObject } from './objects.ts'
import type { StoringFiles } from './store-file.ts'
import { enqueueVariants } from './store-image.ts'

/** Content never changes under its hash: RFC 8246. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** For the original, served while the requested variant is still being made. */
const SHORT_LIVED = 'public, max-age=60'

/** Regenerating a variant is attempted once in this time: when the original is damaged, too, it cannot work. */

const PATH = /^[0-9a-f]{32}\.(webp|jpeg|png|avif|csv)$/
const Query = z.object({
  w: z.coerce.number().int().min(1).max(10_000).optional().describe('width in px'),
  f: z.enum(variantFormats).optional(),
})

const BYTES = 'image/*, text/csv'

const fileOperations = defineRoutes(endpoints, {
  readFile: {
    summary: 'An image, or a narrower variant of it.',
    access: 'public',
    limits: 'read',
    skipAuthentication: true,
    anyOrigin: true,
    query: Query,
    responses: { 200: BYTES, 206: BYTES, 416: null },
  },
})

/** `GET /api/file/{path}?w=480&f=avif`: an image, or its variant at least `w` px wide in format `f`; or a data file. Source: spec §7. */
export function fileRoutes(app: FastifyInstance, deps: StoringFiles): void {
  const shouldRegenerate = throttle(HOUR_MS)
  registerRoute(app, fileOperations.readFile, async ({ params, query: wanted, request, reply }) => {
    const path = params['*']
    if (!PATH.test(path)) throw notFound()
    const [file] = await deps.db.select().from(files).where(eq(files.path, path))
    if (file === undefined) throw notFound()
    const variant = await findVariant(deps, path, wanted)
    const variantBytes = variant && (await readObject(deps, variant))
    if (variant !== undefined && variantBytes === undefined && shouldRegenerate(path))
      await regenerateVariants(deps, path)
    const bytes = variantBytes ?? (await readObject(deps, file))
    if (bytes === undefined) throw notFound()
    const isRequestedSize = variantBytes !== undefined || wanted.w === undefined || wanted.w >= file.width
    reply.header('cache-control', isRequestedSize ? IMMUTABLE : SHORT_LIVED)
    reply.header('content-type', variantBytes && variant ? `image/${variant.format}` : file.mediaType)
    const tag = variantBytes && variant ? `${path}.${variant.width}.${variant.format}` : path
    return sendRange(request, reply, bytes, `"${tag}"`)
  })
}

/** The original is served instead, so failing to enqueue the job does not fail the request. */
const regenerateVariants = ({ db, log }: StoringFiles, path: string): Promise<void> =>
  enqueueVariants(db, path).catch((err: unknown) =>
    log.warn({ err, path }, 'could not enqueue the regeneration of a damaged image variant'),
  )

const notFound = (): ShopError => new ShopError('file.not_found', 'There is no such file.')

type Variant = StoredObject & { width: number; format: VariantFormat }

async function findVariant(
  deps: { db: Db },
  path: string,
  { w, f }: z.infer<typeof Query>,
): Promise<Variant | undefined> {
  if (w === undefined) return undefined
  const [variant] = await deps.db
    .select()
    .from(fileVariants)
    .where(and(eq(fileVariants.path, path), gte(fileVariants.width, w), eq(fileVariants.format, f ?? 'webp')))
    .orderBy(asc(fileVariants.width))
    .limit(1)
  return variant
}

const RANGE = /^bytes=(\d*)-(\d*)$/

/** The first and last requested byte; 'none' without a valid range, 'beyond' past the end. Source: RFC 9110 §14. */
export function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'none' | 'beyond' {
  const match = header === undefined ? null : RANGE.exec(header)
  if (match === null || (match[1] === '' && match[2] === '')) return 'none'
  const [, first = '', last = ''] = match
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start >= size || end < start ? 'beyond' : { start, end }
}

/** Sends `bytes`, or the requested range, or 304 when the client has them. Headers set before stay. */
function sendRange(request: FastifyRequest, reply: FastifyReply, bytes: Uint8Array, etag: string) {
  reply.header('etag', etag).header('accept-ranges', 'bytes')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  const range = rangeOf(request.headers.range, bytes.length)
  if (range === 'none') return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  if (range === 'beyond') return reply.code(416).header('content-range', `bytes */${bytes.length}`).send()
  const { start, end } = range
  reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes.length}`)
  return reply.send(Buffer.from(bytes.subarray(start, end + 1)))
}
