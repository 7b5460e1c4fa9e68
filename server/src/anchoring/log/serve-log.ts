import { BuildView } from '@befaqt/domain/api/box-api'
import { endpoint } from '@befaqt/domain/api/endpoint'
import { readBuild } from '@befaqt/domain/api/endpoints/boxes'
import { ShopError } from '@befaqt/domain/errors'
import { BUILDS } from '@befaqt/provenance/log/builds'
import { parseVerifierKey } from '@befaqt/provenance/log/note'
import { policyText } from '@befaqt/provenance/log/policy'
import { entryBundle, hasTile, parseTilePath, TILE_WIDTH } from '@befaqt/provenance/log/tree'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import { sendJson } from '#server/http/caching/cached-response.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { readPagesBuild } from './build-manifest.ts'
import { buildInLog } from './builds-log.ts'
import { cosignatureLines, newestSigned } from './cosignatures.ts'
import { entriesOf, tileHashes } from './log-rows.ts'
import { newestReceipt, receiptSvg } from './receipts.ts'
import { logAt, successorOf } from './shop-logs.ts'
import { LOG_PATH } from './sign-log.ts'

/** Path of the log of builds below the shop's address. */
const BUILDS_PATH = LOG_PATH + BUILDS

const endpoints = {
  readCheckpoint: endpoint('GET', `${LOG_PATH}/checkpoint`),
  readLogTile: endpoint('GET', `${LOG_PATH}/tile/*`),
  readLogKey: endpoint('GET', `${LOG_PATH}/key`),
  readSuccessor: endpoint('GET', `${LOG_PATH}/successor`),
  readRenewedLog: endpoint('GET', `${LOG_PATH}/:nth/*`),
  readBuildsLog: endpoint('GET', `${BUILDS_PATH}/*`),
  readBuild,
  readReceipt: endpoint('GET', `${LOG_PATH}/receipt.txt`),
  drawReceipt: endpoint('GET', `${LOG_PATH}/receipt.svg`),
  readShopPolicy: endpoint('GET', '/check-policy.txt'),
}

const open = { access: 'public', limits: 'read', skipAuthentication: true, anyOrigin: true } as const
const BYTES = 'application/octet-stream'

const logOperations = defineRoutes(endpoints, {
  readCheckpoint: {
    ...open,
    summary: 'The newest state of the log of anchors, signed, also by the witnesses that have.',
    responses: { 200: 'text/plain' },
  },
  readLogTile: {
    ...open,
    summary: 'Hashes of the log of anchors, or its entries.',
    responses: { 200: BYTES },
  },
  readLogKey: {
    ...open,
    summary:
      'The key of the log, as policies write it. It is the shop’s word: who checks knows it from elsewhere.',
    responses: { 200: 'text/plain' },
  },
  readSuccessor: {
    ...open,
    summary: 'The name of the log that was begun anew in place of this one. 204: none was.',
    responses: { 200: 'text/plain', 204: null },
  },
  readRenewedLog: {
    ...open,
    summary: 'The same of a log that was begun anew: checkpoint, key, hashes and entries.',
    responses: { 200: BYTES },
  },
  readBuildsLog: {
    ...open,
    summary:
      'The log of what the pages load: checkpoint, key, hashes and entries, and manifest.txt, of which it holds the SHA-256: every file with its own.',
    responses: { 200: BYTES },
  },
  readBuild: {
    ...open,
    summary: 'Which build and which checker this process serves, and where they stand in the log of builds.',
    responses: { 200: BuildView },
    errors: [404],
  },
  readReceipt: {
    ...open,
    summary:
      'The newest state of the log to be kept: its line, and the signed note. 204: nothing is signed yet.',
    responses: { 200: 'text/plain', 204: null },
  },
  drawReceipt: {
    ...open,
    summary: 'The newest state of the log as a picture for papers: its line, and the signed note as a code.',
    responses: { 200: 'image/svg+xml' },
  },
  readShopPolicy: {
    ...open,
    summary:
      'Which witnesses the shop names, as a policy: beside its checker, which counts it as the shop’s word.',
    responses: { 200: 'text/plain' },
  },
})

/** What a tree of a signed size has does not change any more, also where it is a part of a tile. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

const TEXT = 'text/plain; charset=utf-8'

type LogDeps = { db: Db; config: Pick<Config, 'WITNESSES' | 'PUBLIC_URL' | 'WEB_DIST'> }

/** The log of anchors, for witnesses and whoever follows it: of what is signed, and nothing beyond. Source: C2SP tlog-tiles. */
export function anchorLogRoutes(app: FastifyInstance, { db, config }: LogDeps): void {
  const built = once(() => readPagesBuild(config.WEB_DIST))
  registerRoute(app, logOperations.readCheckpoint, ({ request, reply }) =>
    sendPart(db, LOG_PATH, 'checkpoint', { request, reply }),
  )
  registerRoute(app, logOperations.readLogTile, ({ params, request, reply }) =>
    sendPart(db, LOG_PATH, `tile/${params['*']}`, { request, reply }),
  )
  registerRoute(app, logOperations.readLogKey, ({ request, reply }) =>
    sendPart(db, LOG_PATH, 'key', { request, reply }),
  )
  registerRoute(app, logOperations.readSuccessor, ({ request, reply }) =>
    sendPart(db, LOG_PATH, 'successor', { request, reply }),
  )
  registerRoute(app, logOperations.readRenewedLog, ({ params, request, reply }) =>
    sendPart(db, `${LOG_PATH}/${params.nth}`, params['*'], { request, reply }),
  )
  registerRoute(app, logOperations.readBuildsLog, async ({ params, request, reply }) => {
    const [, nth = '', part = ''] = /^(\/\d{1,9})?\/(.*)$/.exec(`/${params['*']}`) ?? []
    if (part !== 'manifest.txt') return sendPart(db, BUILDS_PATH + nth, part, { request, reply })
    const build = await built()
    if (build === undefined) throw notThere()
    return sendJson(request, reply, build.manifest, TEXT)
  })
  registerRoute(app, logOperations.readBuild, async ({ reply }) => {
    const build = await built()
    if (build === undefined) throw new ShopError('not_found', 'No pages are built here.')
    reply.header('cache-control', 'no-cache')
    return buildInLog(db, build)
  })
  registerRoute(app, logOperations.readReceipt, async ({ request, reply }) => {
    const receipt = await newestReceipt(db)
    if (receipt === undefined) return reply.code(204).header('cache-control', 'no-cache').send()
    return sendJson(request, reply, `${receipt.line}\n\n${receipt.note}`, TEXT)
  })
  registerRoute(app, logOperations.drawReceipt, async ({ request, reply }) => {
    const svg = receiptSvg(await newestReceipt(db), config.PUBLIC_URL)
    return sendJson(request, reply, svg, 'image/svg+xml; charset=utf-8')
  })
  registerRoute(app, logOperations.readShopPolicy, async ({ reply }) => {
    const [log] = await db.select({ key: anchorLogs.key }).from(anchorLogs).limit(1)
    if (log === undefined || config.WITNESSES === undefined)
      throw new ShopError('not_found', 'The shop names no witnesses.')
    const text = policyText(config.WITNESSES, parseVerifierKey(log.key))
    reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8')
    return reply.send(Buffer.from(text, 'latin1'))
  })
}

/** What stands at a path below the address of one of the shop's logs. */
async function sendPart(
  db: Db,
  path: string,
  part: string,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const log = await logAt(db, path)
  if (log === undefined) throw notThere()
  if (part === 'key') return reply.header('cache-control', 'no-cache').type(TEXT).send(`${log.key}\n`)
  if (part === 'successor') {
    const successor = await successorOf(db, log)
    reply.header('cache-control', 'no-cache').type(TEXT)
    return successor === undefined ? reply.code(204).send() : reply.send(`${successor}\n`)
  }
  const newest = await newestSigned(db, log.origin)
  if (newest === undefined) throw notThere()
  if (part === 'checkpoint')
    return sendJson(request, reply, newest.note + (await cosignatureLines(db, newest)).join(''), TEXT)
  const tile = parseTilePath(part)
  if (tile === undefined || !hasTile(tile, newest.size)) throw notThere()
  const { level, index, width } = tile
  reply.header('cache-control', IMMUTABLE).type(BYTES)
  if (level !== 'entries')
    return reply.send(Buffer.concat((await tileHashes(db, level, index, log.of)).slice(0, width)))
  const entries = await entriesOf(db, index * TILE_WIDTH, index * TILE_WIDTH + width, log.of)
  return reply.send(Buffer.from(entryBundle(entries.map((entry) => Buffer.from(entry)))))
}

/** Makes something at the first call, for all that follow. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

const notThere = (): ShopError => new ShopError('not_found', 'The log has no such part.')
