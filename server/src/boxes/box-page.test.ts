import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { boxMetrics } from '@befaqt/domain/box-metrics'
import { withPageNews } from '@befaqt/domain/box-page-news'
import { boxOfRecords } from '@befaqt/domain/box-records'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { positionOf, withNews } from '@befaqt/provenance/bundle'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { anchoringWorld } from '#server/testing/anchoring.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { type TestDb, testPostgres, testPostgresUrl } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { boxPage, boxVersion } from './box-page.ts'
import { proofBundle } from './proof-bundle.ts'
import { readableRecord, readBox } from './read-records.ts'
import { appendRecords } from './records/add-records.ts'
import { anchorOfRecord, anchorsOfBox } from './whole-box.ts'

const { boxID } = sampleBox()

/** A process that writes and one that is asked: the same one where there can be no other. */
type World = AsyncDisposable & { writer: TestShop; asked: TestShop; admin: Caller }

async function oneProcess(): Promise<World> {
  const shop = await testShop()
  return {
    writer: shop,
    asked: shop,
    admin: await callerOf(shop, 'admin', 'ADMIN'),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

async function twoProcesses(): Promise<World> {
  const database = await testPostgres()
  const writer = await testShop({ open: async () => database })
  const asked = await testShop({ open: () => another(database.url) })
  return {
    writer,
    asked,
    admin: await callerOf(writer, 'admin', 'ADMIN'),
    [Symbol.asyncDispose]: async () => {
      await asked[Symbol.asyncDispose]()
      await writer[Symbol.asyncDispose]()
    },
  }
}

async function another(url: string): Promise<TestDb> {
  const database = await openPostgres(url, () => undefined)
  return { ...database, [Symbol.asyncDispose]: database.close }
}

type Named = [name: string, open: () => Promise<World>]
const worlds: Named[] = [['embedded', oneProcess]]
if (testPostgresUrl !== undefined) worlds.push(['PostgreSQL, two processes', twoProcesses])

const parts = ['', '/proof', '/page'] as const

const ask = ({ asked }: World, part: string, headers: Record<string, string> = {}) =>
  asked.app.inject({ url: `/api/box/${boxID}${part}`, headers })

type Whole = [box: unknown, proof: ProofBundle, page: BoxPageView]

/** What each call has to answer, every figure computed from the rows. */
async function made({ deps }: TestShop): Promise<Whole> {
  const { timeZone } = deps.siteFile.market
  const history = (await readBox(deps.db, boxID)).rows.flatMap((row) => readableRecord(row) ?? [])
  const covering = await anchorsOfBox(deps.db, boxID)
  const txHashOf = (seq: number) => anchorOfRecord(covering, seq)?.anchor.txHash ?? null
  const box = boxOfRecords(boxID, history, timeZone, txHashOf)
  const proof: unknown = JSON.parse(await proofBundle(deps, boxID))
  const page = { ...(await boxPage(deps, boxID)), box, figures: boxMetrics(box, timeZone) }
  return JSON.parse(JSON.stringify([box, proof, page]))
}

async function anchor({ writer: { deps } }: World): Promise<void> {
  const { db, chain, now } = deps
  const { pass } = anchoringWorld(db, chain, { now })
  while ((await pass()) !== 'idle');
}

const write = (query: string) => (world: World) => rows(world.writer.deps.db, sql.raw(query))
const append = (kind: 'tracking' | 'seal') => (world: World) => {
  const data = sampleBox().iotResult?.iotTracking[0] ?? {}
  const draft = { kind, at: '2026-11-19 10:00:00', by: 'L-1', data: kind === 'seal' ? {} : data }
  return world.writer.deps.db.transaction((tx) => appendRecords(tx, boxID, [draft]))
}
const where = `where box_id = '${boxID}'`

/** Everything that changes what is said about a box, whoever does it. */
const changes: [what: string, change: (world: World) => Promise<unknown>][] = [
  ['the first anchor', anchor],
  ['a reading', append('tracking')],
  [
    'a correction',
    ({ admin }) =>
      admin('POST', `/api/box/${boxID}/correction`, {
        seq: 1,
        reason: 'Typo',
        data: { ...sampleBox().fisher, boat: 'Another' },
      }),
  ],
  ['another anchor', anchor],
  [
    'an anchor that a reorganisation takes back',
    write(`update anchors set state = 'submitted' where index = 1`),
  ],
  ['the same anchor, back again', write(`update anchors set state = 'confirmed' where index = 1`)],
  [
    'a forged reading',
    write(`update records set body = replace(body, 'temperature":', 'temperature":1') ${where} and seq = 4`),
  ],
  ['a withheld record', write(`update records set body = null ${where} and seq = 3`)],
  ['a record that was taken away', write(`delete from records ${where} and seq = 5`)],
  ['a place', write(`update boxes set stage = 'at market' where id = '${boxID}'`)],
  ['a seal', append('seal')],
  ['the last anchor', anchor],
]

/** What does not go on from before: another ledger, and tables that tell another history. */
const breaks = new Set(['the first anchor', 'a forged reading', 'a record that was taken away'])

/** The proof and the page of a client that fetches what came since it had others. */
async function withNewsOf(world: World, [, proof, page]: Whole): Promise<[unknown, unknown]> {
  const after = positionOf(proof)
  const [proofNews, pageNews] = await Promise.all(
    ['proof', 'page'].map(async (part) => (await ask(world, `/${part}/news?after=${after}`)).json()),
  )
  return [withNews(proof, proofNews), withPageNews(page, pageNews)]
}

for (const [name, open] of worlds)
  test(`${name}: no response about a box is older than its request, and its page gets a new ETag`, async () => {
    await using world = await open()
    assert.equal((await world.admin('POST', '/api/box', sampleBox())).statusCode, 201)
    let before = await made(world.writer)
    for (const [what, change] of changes) {
      const version = await boxVersion(world.asked.deps, boxID)
      await change(world)
      assert.notEqual(await boxVersion(world.asked.deps, boxID), version, what)
      const now = await made(world.writer)
      assert.notDeepEqual(now, before, `${what} changes something`)
      const answered = await Promise.all(parts.map(async (part) => (await ask(world, part)).json()))
      assert.deepEqual(answered, now, what)
      if (!breaks.has(what)) assert.deepEqual(await withNewsOf(world, before), now.slice(1), what)
      before = now
    }
  })

for (const [name, open] of worlds)
  test(`${name}: a client that has the current response gets 304 until it changes`, async () => {
    await using world = await open()
    await world.admin('POST', '/api/box', sampleBox())
    for (const part of parts) {
      for (const time of ['first', 'second', 'third']) {
        const { headers } = await ask(world, part)
        assert.equal(headers['cache-control'], 'no-cache')
        const again = await ask(world, part, { 'if-none-match': String(headers.etag) })
        assert.deepEqual([again.statusCode, again.body], [304, ''], `${part}, ${time} time`)
      }
    }
    const etags = await Promise.all(parts.map(async (part) => String((await ask(world, part)).headers.etag)))
    await append('tracking')(world)
    for (const [i, part] of parts.entries())
      assert.equal((await ask(world, part, { 'if-none-match': etags[i] ?? '' })).statusCode, 200, part)
  })

test('changes to other boxes, and anchors of others alone, leave the version of this box', async () => {
  await using world = await oneProcess()
  const { admin, writer } = world
  await admin('POST', '/api/box', sampleBox())
  await admin('POST', '/api/box', { ...sampleBox(), boxID: 'OTHER' })
  await anchor(world)
  const before = await boxVersion(writer.deps, boxID)
  await admin('POST', '/api/box/OTHER/seal', {})
  await anchor(world)
  assert.equal(await boxVersion(writer.deps, boxID), before)
  await assert.rejects(boxVersion(writer.deps, 'NONE'), { code: 'box.not_found' })
})

test('news of a reading that comes to a long box are short, whichever logger signed; a strange position gets the whole', async () => {
  await using world = await oneProcess()
  const sample = sampleBox()
  const reading = sample.iotResult?.iotTracking[0] ?? assert.fail()
  const at = (i: number) => new Date(Date.UTC(2026, 9, 1) + i * 60_000).toISOString()
  const iotTracking = Array.from({ length: 400 }, (_, i) => ({ ...reading, time: at(i) }))
  const long = { ...sample, iotResult: sample.iotResult && { ...sample.iotResult, iotTracking } }
  await world.admin('POST', '/api/box', long)
  await anchor(world)
  const [, proof, page] = await made(world.writer)
  await append('tracking')(world)
  const now = await made(world.writer)
  const after = positionOf(proof)
  for (const [part, whole] of [
    ['proof', now[1]],
    ['page', now[2]],
  ] as const) {
    const { body } = await ask(world, `/${part}/news?after=${after}`)
    assert.ok(body.length < JSON.stringify(whole).length / 20, `${part}: ${body.length} bytes`)
  }
  assert.deepEqual(await withNewsOf(world, [null, proof, page]), now.slice(1))
  for (const strange of ['9999-0', '3-7', '3-none']) {
    const { kept, ...whole } = (await ask(world, `/proof/news?after=${strange}`)).json()
    assert.deepEqual(
      [kept, whole],
      [
        { records: strange === '3-none' ? 3 : 0, anchors: 0 },
        strange === '3-none' ? { ...now[1], records: now[1].records.slice(3) } : now[1],
      ],
    )
  }
  for (const wrong of ['', '?after=', '?after=x', '?after=-1-0'])
    assert.equal((await ask(world, `/proof/news${wrong}`)).statusCode, 400, wrong)
})

test('a row that is not JSON is passed to the verifier as text', async () => {
  await using world = await oneProcess()
  await world.admin('POST', '/api/box', sampleBox())
  await write(`update records set body = '{"v":1' ${where} and seq = 2`)(world)
  const proof = await ask(world, '/proof')
  assert.deepEqual([proof.statusCode, proof.json().records[1]], [200, '{"v":1'])
  assert.equal((await ask(world, '')).json().catchProv, null)
})

test('a row with a correct hash that is not a record is left out of pages', async () => {
  await using world = await oneProcess()
  await world.admin('POST', '/api/box', sampleBox())
  for (const body of [
    'null',
    '7',
    '{}',
    '{"seq":4,"kind":"tracking","at":1,"by":"","data":{}}',
    '{"seq":4}x',
  ]) {
    const hash = createHash('sha256').update(body).digest('hex')
    await write(`update records set body = '${body}', record_hash = '${hash}' ${where} and seq = 4`)(world)
    const page = await ask(world, '/page')
    assert.equal(page.statusCode, 200, body)
    const { kind, at, by, recordHash } = page.json().records[3]
    assert.deepEqual([kind, at, by, recordHash], ['tracking', '', '', hash], body)
    assert.equal(page.json().box.iotResult.iotTracking.length, 1, body)
  }
})
