import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { auditBoxes } from '#server/box-audit/audit-boxes.ts'
import { readNews, readPositions } from '#server/boxes/events/news.ts'
import { renewProjection } from '#server/boxes/projection/projection.ts'
import { rows } from '#server/db/client.ts'
import { boxArchives } from '#server/db/schema/archives.ts'
import { rebuildExcursions } from '#server/excursions/index.ts'
import { watchBoxes } from '#server/excursions/watch-boxes.ts'
import { boxesOfOrder } from '#server/orders/boxes-at-sale.ts'
import { SEASON, shopWithOldBoxes } from '#server/testing/archives.ts'
import { testDatabases } from '#server/testing/database.ts'
import { readingAt } from '#server/testing/readings.ts'
import { archiveBoxesJob } from './archive-boxes.ts'
import { type DroppingDeps, dropRowsJob, removeArchive, restoreRows } from './drop-rows.ts'

const never = new AbortController().signal
/** Days in the store before rows are dropped. */
const DAYS = 30
const drop = (deps: DroppingDeps) => dropRowsJob(deps)({}, never)

type Shop = Awaited<ReturnType<typeof archivedShop>>

/** A shop whose two old boxes are archived, and nothing dropped yet. */
async function archivedShop(open: Parameters<typeof shopWithOldBoxes>[0], env: Record<string, string> = {}) {
  const shop = await shopWithOldBoxes(open, { ARCHIVE_DROP_AFTER_DAYS: `${DAYS}`, ...env })
  await watchBoxes(shop.deps)
  await archiveBoxesJob(shop.laterBy(SEASON + 1))({}, never)
  const rowsOf = () =>
    rows<{ id: string; n: number }>(
      shop.deps.db,
      sql`select box_id as id, count(*)::int as n from records where kind in ('tracking', 'freshness')
          group by box_id order by box_id`,
    )
  const files = () => readdir(join(shop.deps.config.DATA_DIR, 'files'))
  const everyRow = () =>
    rows(shop.deps.db, sql`select r.*, recorded_at::text as at from records r order by box_id, seq`)
  return { ...shop, rowsOf, files, everyRow, due: shop.laterBy(DAYS + 1) }
}

/** What anybody may ask of a box, and what staff sees of it, as it is answered. */
async function answersOf({ app, admin, deps }: Shop, box: string): Promise<Record<string, string>> {
  const [position] = [(await readPositions(deps.db, [box])).get(box)]
  assert.ok(position)
  const excursions = (await admin('GET', '/api/excursion')).json()
  const urls = [
    `/api/box/${box}`,
    `/api/box/${box}/page`,
    `/api/box/${box}/page/news?after=3-none`,
    `/api/box/${box}/proof`,
    `/api/box/${box}/proof?log=1`,
    `/api/box/${box}/proof/news?after=3-none`,
    `/api/box/${box}/proof/news?after=${position.seq}-${position.anchor}`,
    `/api/box/${box}/epcis`,
    `/api/box/${box}/absence`,
    '/api/box/NEVER-1/absence',
    '/api/box?q=old',
    '/api/anchor',
    ...Array.from({ length: position.anchor + 1 }, (_, i) => `/api/anchor/${i}`),
  ]
  const staff = [
    `/api/box/${box}/trade`,
    `/api/box/epcis?profile=fsma204&box=${box}`,
    `/api/box/epcis?profile=gdst&box=${box}`,
    `/api/manage/box/${box}`,
    `/api/manage/trade?box=${box},OPEN-1`,
    '/api/manage/box?q=old',
    `/api/box/${box}/orders`,
    `/api/box/${box}/balance`,
    `/api/box/${box}/recall`,
    `/api/station/box/${box}`,
    ...(excursions.rows ?? []).map(({ id }: { id: string }) => `/api/excursion/${id}`),
  ]
  const answers: Record<string, string> = { excursions: JSON.stringify(excursions) }
  for (const url of urls) {
    const { statusCode, body } = await app.inject(url)
    answers[url] = `${statusCode} ${body}`
  }
  for (const url of staff) {
    const { statusCode, body } = await admin('GET', url)
    answers[`staff ${url}`] = `${statusCode} ${body}`
  }
  const from = { seq: 0, anchor: -1 }
  answers.events = (await readNews(deps, box, from, position)).text
  const moments = await rows<{ at: string }>(
    deps.db,
    sql`select distinct recorded_at::text as at from known_records where box_id = ${box} order by 1`,
  )
  for (const { at } of moments) {
    const events = [{ status: 'PACKED', happenedAt: new Date(at) }]
    const whole = {
      order: { status: 'PACKED' },
      events,
      boxes: [{ boxId: box }],
      lines: [],
    } as object as Parameters<typeof boxesOfOrder>[1]
    answers[`sold at ${at}`] = JSON.stringify(await boxesOfOrder(deps, whole))
  }
  return answers
}

const auditOf = async ({ deps }: Shop): Promise<string[]> => {
  const found: string[] = []
  for await (const { boxID, of, words } of auditBoxes(deps)) found.push(`${boxID} ${of}: ${words}`)
  return found
}

for (const [name, open] of testDatabases) {
  test(`${name}: every answer about a box is the same, byte by byte, after its rows were dropped, and when they are back`, async () => {
    await using shop = await archivedShop(open)
    const { deps, due } = shop
    const [rowsBefore, filled] = [await shop.everyRow(), await shop.rowsOf()]
    const before = { old: await answersOf(shop, 'OLD-1'), open: await answersOf(shop, 'OPEN-1') }
    for (const [url, answer] of Object.entries(before.old))
      assert.doesNotMatch(answer, /^(?!404 .*"box.not_found"|409 )[45]\d\d /, url)
    assert.ok(
      Object.keys(before.old).some((url) => url.startsWith('staff /api/excursion/')),
      'it was warm',
    )
    assert.deepEqual(await auditOf(shop), [])

    await drop({ ...due, config: { ARCHIVE_AFTER_DAYS: SEASON } })
    await drop(shop.laterBy(DAYS - 1))
    assert.deepEqual(await shop.rowsOf(), filled, 'it is off, or not due')
    await drop(due)
    assert.deepEqual(
      shop.told.filter(({ level }) => level >= 40),
      [],
    )
    assert.deepEqual(
      await shop.rowsOf(),
      filled.filter(({ id }) => id === 'OPEN-1'),
    )
    const after = { old: await answersOf(shop, 'OLD-1'), open: await answersOf(shop, 'OPEN-1') }
    assert.deepEqual(after, before)
    assert.deepEqual(await auditOf(shop), [])

    const sent = { readings: [readingAt(3, { box: 'OLD-1' }), readingAt(99, { box: 'OLD-1' })] }
    const { duplicates, refused } = (await shop.admin('POST', '/api/tracking', sent)).json()
    assert.deepEqual([duplicates, refused?.length], [1, 1], 'one that it has is known, and none is added')
    assert.equal((await shop.admin('POST', '/api/box/OLD-1/seal', {})).json().error.code, 'box.sealed')
    await renewProjection(deps, 'OLD-1')
    await rebuildExcursions(deps.db, 'OLD-1')
    await watchBoxes(deps)
    assert.deepEqual(await auditOf(shop), [], 'what is derived of it is not derived of nothing')
    assert.equal(await removeArchive(deps.db, 'OLD-1'), false, 'it is all that there is')

    await Promise.all([restoreRows(due, 'OLD-1'), restoreRows(due, 'OLD-1')])
    await restoreRows(due, 'OLD-2')
    assert.deepEqual(await shop.everyRow(), rowsBefore)
    assert.deepEqual(await answersOf(shop, 'OPEN-1'), before.open)
    assert.deepEqual(await auditOf(shop), [])
    assert.equal(await removeArchive(deps.db, 'OLD-1'), true)
  })

  test(`${name}: killed at any step, and by two at once, all rows are there or none, and the file has them`, async () => {
    await using shop = await archivedShop(open)
    const { due } = shop
    const before = await shop.everyRow()
    const filled = await shop.rowsOf()
    for (const step of [1, 2, 3, 4]) {
      let left = step
      const killing = new Proxy(due.db, {
        get: (db, name, self) =>
          name === 'transaction'
            ? (work: Parameters<typeof db.transaction>[0], ...more: never[]) =>
                db.transaction(
                  async (tx) => {
                    const done = await work(tx)
                    if (--left === 0) throw new Error('killed')
                    return done
                  },
                  ...more,
                )
            : Reflect.get(db, name, self),
      })
      await drop({ ...due, db: killing }).catch(() => undefined)
      const now = await shop.rowsOf()
      for (const { id, n } of now)
        assert.equal(n, filled.find((one) => one.id === id)?.n, `${id} after ${step}`)
    }
    await Promise.all([drop(due), drop(due)])
    assert.deepEqual(
      (await shop.rowsOf()).map(({ id }) => id),
      ['OPEN-1'],
    )
    for (const box of ['OLD-1', 'OLD-2']) await restoreRows(due, box)
    assert.deepEqual(await shop.everyRow(), before)
  })

  test(`${name}: rows stay where the file is gone, damaged or another than they are; a lost file is named, and nothing is made up for it`, async () => {
    await using shop = await archivedShop(open)
    const { deps, due } = shop
    const folder = join(deps.config.DATA_DIR, 'files')
    const filled = await shop.rowsOf()
    const keyOf = async (box: string) =>
      (await deps.db.select().from(boxArchives)).find(({ boxId }) => boxId === box)?.objectKey ?? ''
    await rows(
      deps.db,
      sql`update records set body = replace(body, '"temperature":2', '"temperature":1') where box_id = 'OLD-2'`,
    )
    await watchBoxes(deps)
    await rm(join(folder, await keyOf('OLD-1')))
    await drop(due)
    assert.deepEqual(await shop.rowsOf(), filled)
    assert.deepEqual(
      shop.told.filter(({ level }) => level >= 50).map(({ box, msg }) => `${box}: ${msg}`),
      [
        'undefined: a stored file is missing',
        'OLD-1: the file of a box is of no use: it is written anew',
        'OLD-2: rows of a box are not dropped: they are not what its file proves',
      ],
    )
    await archiveBoxesJob(shop.laterBy(SEASON + 1))({}, never)
    await drop(due)
    assert.deepEqual(
      (await shop.rowsOf()).map(({ id }) => id),
      ['OLD-2', 'OPEN-1'],
    )

    const file = join(folder, await keyOf('OLD-1'))
    const bytes = await readFile(file)
    await rm(file)
    for (const url of ['', '/page', '/proof', '/epcis']) {
      const reply = await shop.app.inject(`/api/box/OLD-1${url}`)
      assert.equal(reply.statusCode, 503, url)
      assert.match(
        reply.json().error.message,
        /history of box OLD-1 is kept in a file that is missing or damaged/,
      )
    }
    await assert.rejects(restoreRows(due, 'OLD-1'), /missing or damaged/)
    assert.match((await auditOf(shop)).join(), /OLD-1 figures: not comparable.*missing or damaged/)
    await writeFile(file, bytes.fill(0, 50, 60))
    assert.equal((await shop.app.inject('/api/box/OLD-1/proof')).statusCode, 503)
    assert.equal(
      (await shop.app.inject('/api/anchor/1')).statusCode,
      200,
      'who follows the anchors needs no file',
    )
  })
}
