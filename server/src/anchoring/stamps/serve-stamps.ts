import { endpoint } from '@befaqt/domain/api/endpoint'
import { ShopError } from '@befaqt/domain/errors'
import { and, desc, eq, isNotNull, lt, or } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { logStamps } from '#server/db/schema/anchor-log.ts'
import { sendJson } from '#server/http/caching/cached-response.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { LOG_PATH } from '../log/sign-log.ts'
import { noteOf } from './stamp-rows.ts'

const STAMPS_PATH = `${LOG_PATH}/stamps`

const Stamps = z.object({
  stamps: z
    .array(
      z.object({
        day: z.string().describe('in UTC; its files are DAY.note, DAY.tsr and DAY.ots below this address'),
        origin: z.string(),
        size: z.number().int().describe('how many entries the log had'),
        tsr: z
          .object({ by: z.string(), at: z.string() })
          .nullable()
          .describe('the time stamp of an authority, as it says itself'),
        ots: z
          .enum(['pending', 'complete'])
          .nullable()
          .describe('the proof of OpenTimestamps; complete: a Bitcoin block attests it'),
      }),
    )
    .describe('the newest first'),
  before: z.string().nullable().describe('to be asked for what is older; null: that is all'),
})

/** Most that one answer lists: a year. */
const PAGE = 366
const DAY = /^(\d{4}-\d{2}-\d{2})\.(note|tsr|ots)$/
const IMMUTABLE = 'public, max-age=31536000, immutable'

const endpoints = {
  listStamps: endpoint('GET', STAMPS_PATH),
  readStamp: endpoint('GET', `${STAMPS_PATH}/:file`),
}
const open = { access: 'public', limits: 'read', skipAuthentication: true, anyOrigin: true } as const

const stampOperations = defineRoutes(endpoints, {
  listStamps: {
    ...open,
    summary: 'Checkpoints of the log of anchors whose time others have stamped, one a day.',
    query: z.object({ before: z.iso.date().optional().describe('days before this one') }),
    responses: { 200: Stamps },
  },
  readStamp: {
    ...open,
    summary:
      'The signed note that was stamped (DAY.note), an authority’s time stamp (RFC 3161, DAY.tsr), or a proof of OpenTimestamps (DAY.ots).',
    responses: { 200: 'application/octet-stream' },
  },
})

/** What others have stamped, for whoever has to show since when a state of the log has existed. */
export function stampRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  registerRoute(app, stampOperations.listStamps, async ({ query: { before }, reply }) => {
    const got = or(isNotNull(logStamps.tsr), isNotNull(logStamps.ots))
    const { day, origin, size, stampedBy, stampedAt, isComplete } = logStamps
    const found = await db
      .select({ day, origin, size, stampedBy, stampedAt, isComplete, hasOts: isNotNull(logStamps.ots) })
      .from(logStamps)
      .where(before === undefined ? got : and(got, lt(day, before)))
      .orderBy(desc(day))
      .limit(PAGE + 1)
    const shown = found.slice(0, PAGE).map((row) => ({
      day: row.day,
      origin: row.origin,
      size: row.size,
      tsr: row.stampedAt && { by: row.stampedBy ?? '', at: row.stampedAt.toISOString() },
      ots: row.hasOts ? (row.isComplete ? ('complete' as const) : ('pending' as const)) : null,
    }))
    const more = found.length > PAGE ? (shown.at(-1)?.day ?? null) : null
    reply.header('cache-control', 'no-cache')
    return { stamps: shown, before: more }
  })
  registerRoute(app, stampOperations.readStamp, async ({ params: { file }, request, reply }) => {
    const [, day = '', kind] = DAY.exec(file) ?? []
    const [row] = day === '' ? [] : await db.select().from(logStamps).where(eq(logStamps.day, day))
    if (row === undefined || (row.tsr === null && row.ots === null)) throw notThere()
    if (kind === 'note') return sendJson(request, reply, await noteOf(db, row), 'text/plain; charset=utf-8')
    const bytes = kind === 'tsr' ? row.tsr : row.ots
    if (bytes === null) throw notThere()
    const isFinal = kind === 'tsr' || row.isComplete
    reply.header('cache-control', isFinal ? IMMUTABLE : 'no-cache')
    reply.type(kind === 'tsr' ? 'application/timestamp-reply' : 'application/vnd.opentimestamps.ots')
    return reply.send(Buffer.from(bytes))
  })
}

const notThere = (): ShopError => new ShopError('not_found', 'There is no such stamp.')
