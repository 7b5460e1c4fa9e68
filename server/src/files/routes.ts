import { ShopError } from '@befaqt/domain/errors'
import { and, asc, eq, gte } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { type CopyFormat, copyFormats } from '#server/images/port.ts'
import type { StoringFiles } from './keep-file.ts'
import { oncePer } from './once-per.ts'
import { type Named, readObject } from './read-object.ts'
import { sendRange } from './send-range.ts'
import { enqueueVariants } from './variants.ts'

/** Content never changes under its hash: RFC 8246. */
const FOREVER = 'public, max-age=31536000, immutable'
/** A stand-in while the wanted copy is still being made. */
const FOR_NOW = 'public, max-age=60'

/** A whole picture that is damaged, too, has no copies made of it however often they are asked for. */
const HOUR_MS = 3_600_000

const PATH = /^[0-9a-f]{32}\.(webp|jpeg|png|avif|csv)$/
const Query = z.object({
  w: z.coerce.number().int().min(1).max(10_000).optional().describe('width in px'),
  f: z.enum(copyFormats).optional(),
})

const BYTES = 'image/*, text/csv'

export const fileOperations = defineRoutes({
  readFile: {
    method: 'GET',
    url: '/api/file/*',
    summary: 'A picture, or a narrower copy.',
    access: 'public',
    limits: 'read',
    skipAuthentication: true,
    query: Query,
    responses: { 200: BYTES, 206: BYTES, 416: null },
  },
})

/** `GET /api/file/{path}?w=480&f=avif`: a picture, or its copy at least `w` px wide in format `f`; or a data file. Source: spec §7. */
export function fileRoutes(app: FastifyInstance, deps: StoringFiles): void {
  const mayHaveMade = oncePer(HOUR_MS)
  registerRoute(app, fileOperations.readFile, async ({ params, query: wanted, request, reply }) => {
    const path = params['*']
    if (!PATH.test(path)) throw notFound()
    const [file] = await deps.db.select().from(files).where(eq(files.path, path))
    if (file === undefined) throw notFound()
    const variant = await findVariant(deps, path, wanted)
    const copy = variant && (await readObject(deps, variant))
    if (variant !== undefined && copy === undefined && mayHaveMade(path)) await haveMadeAgain(deps, path)
    const bytes = copy ?? (await readObject(deps, file))
    if (bytes === undefined) throw notFound()
    const isWhatWasAsked = copy !== undefined || wanted.w === undefined || wanted.w >= file.width
    reply.header('cache-control', isWhatWasAsked ? FOREVER : FOR_NOW)
    reply.header('content-type', copy && variant ? `image/${variant.format}` : file.mediaType)
    const tag = copy && variant ? `${path}.${variant.width}.${variant.format}` : path
    return sendRange(request, reply, bytes, `"${tag}"`)
  })
}

/** The whole picture stands in, so that a job that can't be written now is no failure. */
const haveMadeAgain = ({ db, log }: StoringFiles, path: string): Promise<void> =>
  enqueueVariants(db, path).catch((err: unknown) =>
    log.warn({ err, path }, 'a damaged copy of a picture could not be had made again'),
  )

const notFound = (): ShopError => new ShopError('file.not_found', 'There is no such file.')

type Variant = Named & { width: number; format: CopyFormat }

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
