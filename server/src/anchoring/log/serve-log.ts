import { endpoint } from '@befaqt/domain/api/endpoint'
import { ShopError } from '@befaqt/domain/errors'
import { parseVerifierKey } from '@befaqt/provenance/log/note'
import { policyText } from '@befaqt/provenance/log/policy'
import { entryBundle, hasTile, parseTilePath, TILE_WIDTH } from '@befaqt/provenance/log/tree'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import { sendJson } from '#server/http/caching/cached-response.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { cosignatureLines } from './cosignatures.ts'
import { entriesOf, tileHashes } from './log-rows.ts'
import { newestCheckpoint, newestReceipt, receiptSvg } from './receipts.ts'
import { LOG_PATH } from './sign-log.ts'

const endpoints = {
  readCheckpoint: endpoint('GET', `${LOG_PATH}/checkpoint`),
  readLogTile: endpoint('GET', `${LOG_PATH}/tile/*`),
  readLogKey: endpoint('GET', `${LOG_PATH}/key`),
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

type LogDeps = { db: Db; config: Pick<Config, 'WITNESSES' | 'PUBLIC_URL'> }

/** The log of anchors, for witnesses and whoever follows it: of what is signed, and nothing beyond. Source: C2SP tlog-tiles. */
export function anchorLogRoutes(app: FastifyInstance, { db, config }: LogDeps): void {
  registerRoute(app, logOperations.readCheckpoint, async ({ request, reply }) => {
    const newest = await newestCheckpoint(db)
    if (newest === undefined) throw notThere()
    const lines = await cosignatureLines(db, newest)
    return sendJson(request, reply, newest.note + lines.join(''), 'text/plain; charset=utf-8')
  })
  registerRoute(app, logOperations.readLogTile, async ({ params, reply }) => {
    const tile = parseTilePath(`tile/${params['*']}`)
    if (tile === undefined || !hasTile(tile, (await newestCheckpoint(db))?.size ?? 0)) throw notThere()
    const { level, index, width } = tile
    reply.header('cache-control', IMMUTABLE).type(BYTES)
    if (level !== 'entries')
      return reply.send(Buffer.concat((await tileHashes(db, level, index)).slice(0, width)))
    const entries = await entriesOf(db, index * TILE_WIDTH, index * TILE_WIDTH + width)
    return reply.send(Buffer.from(entryBundle(entries.map((entry) => Buffer.from(entry)))))
  })
  registerRoute(app, logOperations.readLogKey, async ({ reply }) => {
    const [log] = await db.select({ key: anchorLogs.key }).from(anchorLogs).limit(1)
    if (log === undefined) throw notThere()
    reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8')
    return reply.send(`${log.key}\n`)
  })
  registerRoute(app, logOperations.readReceipt, async ({ request, reply }) => {
    const receipt = await newestReceipt(db)
    if (receipt === undefined) return reply.code(204).header('cache-control', 'no-cache').send()
    return sendJson(request, reply, `${receipt.line}\n\n${receipt.note}`, 'text/plain; charset=utf-8')
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

const notThere = (): ShopError => new ShopError('not_found', 'The log has no such part.')
