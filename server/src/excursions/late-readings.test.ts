import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { rows } from '#server/db/client.ts'
import { ingestReadings } from '#server/ingestion/ingest-readings.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { diffExcursions, rebuildExcursions } from './rebuild-excursions.ts'
import { watchBoxes } from './watch-boxes.ts'

const START = Date.parse('2026-11-20T00:00:00Z')
const MIN = 60_000
const BOX = 'X-1'
const fisher = { traderID: 'T-1', traderName: 'Sample Fisher', companyName: '', boat: '', address: '' }

type Open = (typeof testDatabases)[number][1]
type Shop = TestShop & { admin: Caller; clock: { now: number } }

/** A shop with a box whose excursions are told to an address by email. */
async function shopWithBox(open: Open): Promise<Shop> {
  const clock = { now: START }
  const shop = await testShop({ open, deps: { now: () => new Date(clock.now) } })
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  await admin('POST', '/api/box/registration', { boxID: BOX, fisher })
  await admin('POST', '/api/manage/excursion/target', { kind: 'email', address: 'market@example.org' })
  return { ...shop, admin, clock }
}

type Reading = readonly [minute: number, temperature: number]

/** Takes readings by their minute, in this order, and follows them. */
const read = (shop: Shop, ...readings: Reading[]) => readOf(shop, BOX, ...readings)

async function readOf({ deps, clock }: Shop, box: string, ...readings: Reading[]) {
  const inputs = readings.map(([minute, temperature]) => ({
    input: {
      box,
      iotID: 'L-1',
      time: new Date(START + minute * MIN).toISOString(),
      latitude: -33.5,
      longitude: 150.5,
      temperature,
    },
  }))
  clock.now = Math.max(clock.now, ...readings.map(([minute]) => START + (minute + 1) * MIN))
  const outcomes = (await ingestReadings(deps, inputs)).flat()
  assert.ok(
    outcomes.every((one) => one === 'accepted'),
    JSON.stringify(outcomes),
  )
  await watchBoxes(deps)
}

/** Corrects the temperature of the reading of a minute, and follows that. */
async function correct({ deps, admin }: Shop, minute: number, temperature: number): Promise<number> {
  const time = new Date(START + minute * MIN).toISOString()
  const [record] = await rows<{ seq: number; body: string }>(
    deps.db,
    sql`select seq, body from records where box_id = ${BOX} and kind = 'tracking' and body like ${`%"${time.slice(0, 19)}%`}`,
  )
  const { box: _, ...data } = { ...JSON.parse(record?.body ?? '{}').data, temperature }
  const answer = await admin('POST', `/api/box/${BOX}/correction`, { seq: record?.seq, reason: 'Typo', data })
  await watchBoxes(deps)
  return answer.statusCode
}

const minute = (at: string | null): number | null => (at === null ? null : (Date.parse(at) - START) / MIN)

/** The excursions that nobody closed, oldest first: minutes of beginning and end, and the peak. */
const stretches = async ({ admin }: Shop, state = '') => {
  const found: { kind: string; since: string; endedAt: string | null; peak: number }[] = (
    await admin('GET', `/api/excursion?page=1${state && `&state=${state}`}`)
  ).json().rows
  return found
    .filter(({ kind }) => kind === 'warm')
    .map(({ since, endedAt, peak }) => [minute(since) ?? 0, minute(endedAt), peak] as const)
    .sort(([a], [b]) => a - b)
}

const emails = async ({ deps }: TestShop) =>
  (await rows(deps.db, sql`select from jobs where queue = 'mail.send'`)).length

for (const [name, open] of testDatabases) {
  test(`${name}: readings that come late at the beginning of a stretch move it, and tell nobody again`, async () => {
    await using shop = await shopWithBox(open)
    await read(shop, [0, 2], [20, 8], [30, 8], [40, 8], [50, 8])
    assert.deepEqual(await stretches(shop), [[20, null, 8]])
    for (const late of [15, 12, 10]) await read(shop, [late, 8])
    assert.deepEqual(await stretches(shop), [[10, null, 8]])
    assert.equal(await emails(shop), 1)
    await read(shop, [55, 2])
    assert.deepEqual(await stretches(shop), [[10, 55, 8]])
    assert.deepEqual(await stretches(shop, 'open'), [])
  })

  test(`${name}: readings that come late and disprove a stretch withdraw it`, async () => {
    await using shop = await shopWithBox(open)
    await read(shop, [10, 8], [50, 8])
    assert.deepEqual(await stretches(shop), [[10, null, 8]])
    await read(shop, [20, 2], [30, 2], [40, 2])
    assert.deepEqual(await stretches(shop), [])
    await read(shop, [55, 2])
    assert.deepEqual(await stretches(shop), [])
  })

  test(`${name}: a stretch that late readings split is two, and one again when they are corrected`, async () => {
    await using shop = await shopWithBox(open)
    await read(shop, [0, 2], [10, 8], [60, 8], [120, 8])
    assert.deepEqual(await stretches(shop), [[10, null, 8]])
    await read(shop, [50, 2])
    assert.deepEqual(await stretches(shop), [
      [10, 50, 8],
      [60, null, 8],
    ])
    assert.equal(await correct(shop, 50, 9), 201)
    assert.deepEqual(await stretches(shop), [[10, null, 9]])
    const [withdrawn] = (await shop.admin('GET', '/api/excursion?page=1&state=withdrawn')).json().rows
    const [left] = (await shop.admin('GET', '/api/excursion?page=1')).json().rows
    assert.equal(withdrawn.mergedInto, left.id)
    assert.ok(withdrawn.withdrawnAt !== null)
    const close = await shop.admin('POST', `/api/excursion/${withdrawn.id}/closing`, { text: 'x' })
    assert.equal(close.statusCode, 409)
  })

  test(`${name}: a reading that is corrected or withheld is no reason for an excursion any more`, async () => {
    await using shop = await shopWithBox(open)
    await read(shop, [0, 2], [10, 8], [40, 8])
    assert.deepEqual(await stretches(shop), [[10, null, 8]])
    assert.equal(await correct(shop, 40, 3), 201)
    assert.deepEqual(await stretches(shop), [[10, 40, 8]])
    assert.equal(await correct(shop, 40, 8), 201)
    assert.deepEqual(await stretches(shop), [[10, null, 8]])
    await rows(
      shop.deps.db,
      sql`update records set body = null where kind = 'tracking' and body like '%T00:10:00%'`,
    )
    await watchBoxes(shop.deps)
    assert.deepEqual(await stretches(shop), [])
  })

  test(`${name}: whoever was told of an excursion that never was is told so, and nobody else hears of it`, async () => {
    await using shop = await shopWithBox(open)
    const subjects = async (send: boolean) => {
      const sent: string[] = []
      if (send)
        await runDueJobs(
          shop.deps.db,
          interactiveJobs({
            ...shop.deps,
            mailer: { ...shop.deps.mailer, send: async ({ subject }) => void sent.push(subject) },
          }),
          { warn() {}, error() {} },
          new AbortController().signal,
        )
      return sent.map((subject) => subject.replace(/^.* an excursion of box X-1 /, ''))
    }
    await read(shop, [10, 8], [50, 8])
    await read(shop, [30, 2])
    assert.deepEqual([await emails(shop), await subjects(true)], [0, []])
    await read(shop, [60, 8], [100, 8])
    assert.deepEqual(await subjects(true), ['began'])
    await read(shop, [110, 2])
    assert.equal(await correct(shop, 110, 8), 201)
    assert.deepEqual(await subjects(true), [], 'nobody heard that it ended')
    await read(shop, [120, 2])
    assert.deepEqual(await subjects(true), ['ended by itself'])
    assert.equal(await correct(shop, 120, 8), 201)
    assert.deepEqual(await subjects(true), ['has not ended'])
    for (const minute of [50, 60, 100, 110, 120]) assert.equal(await correct(shop, minute, 2), 201)
    assert.deepEqual(await subjects(true), ['was none'])
    const [{ id, notices: _ }] = (await shop.admin('GET', '/api/excursion?page=1&state=withdrawn')).json()
      .rows
    const { notices } = (await shop.admin('GET', `/api/excursion/${id}`)).json()
    assert.ok(notices.length > 0)
  })

  test(`${name}: one that was closed while it went on is open again when it reaches a grade, and no sooner`, async () => {
    await using shop = await shopWithBox(open)
    await read(shop, [0, 8], [40, 8])
    const [{ id }] = (await shop.admin('GET', '/api/excursion?page=1')).json().rows
    const close = async () =>
      assert.equal(
        (await shop.admin('POST', `/api/excursion/${id}/closing`, { text: 'Iced' })).statusCode,
        204,
      )
    const openGrades = async () =>
      (await shop.admin('GET', '/api/excursion?page=1'))
        .json()
        .rows.map(({ id, grade, closedAt }: Record<string, unknown>) => [id, grade, closedAt])
    await close()
    await read(shop, [60, 9])
    assert.deepEqual(await openGrades(), [], 'warmer, but of the same grade')
    const told = await emails(shop)
    await read(shop, [130, 8])
    await watchBoxes(shop.deps)
    assert.deepEqual(await openGrades(), [[id, 2, null]])
    assert.equal(await emails(shop), told, 'instead of the one that it was closed, which was not sent yet')
    const { notes, notices } = (await shop.admin('GET', `/api/excursion/${id}`)).json()
    assert.deepEqual(
      notes.map(({ text }: { text: string }) => text),
      ['Closed: Iced', 'Opened again: 2 hours above the limit in total.'],
    )
    const waiting = notices.filter(({ cancelledAt }: { cancelledAt: string | null }) => cancelledAt === null)
    assert.deepEqual(
      waiting.map(({ event }: { event: string }) => event),
      ['opened', 'reopened'],
    )
    await close()
    await read(shop, [150, 8])
    assert.deepEqual(await openGrades(), [])
    await read(shop, [250, 8])
    assert.deepEqual(await openGrades(), [[id, 4, null]])
  })

  test(`${name}: boxes whose table differs or that were never followed are found, and made anew`, async () => {
    await using shop = await shopWithBox(open)
    const { db } = shop.deps
    const box = (nth: number) => `A-${nth}`
    for (const nth of [1, 2, 3]) {
      await shop.admin('POST', '/api/box/registration', { boxID: box(nth), fisher })
      await readOf(shop, box(nth), [0, 9], [20, 9], [40, 9])
    }
    const audit = async () => {
      const found: string[][] = []
      for (const boxID of [box(1), box(2), box(3)]) {
        const differences = await diffExcursions(shop.deps, boxID)
        if (differences.length > 0) found.push([boxID, ...differences.map(({ only }) => only)])
      }
      return found
    }
    assert.deepEqual(await audit(), [])
    await rows(db, sql`update excursions set since = since + interval '5 minutes' where box_id = ${box(1)}`)
    await rows(db, sql`update excursions set withdrawn_at = now() where box_id = ${box(3)}`)
    await rows(db, sql`delete from box_watches where box_id = ${box(3)}`)
    const different = [
      [box(1), 'table', 'readings'],
      [box(3), 'readings'],
    ]
    assert.deepEqual(await audit(), different)
    for (const nth of [1, 3]) await rebuildExcursions(db, box(nth))
    assert.deepEqual(await audit(), [], 'they wait to be followed')
    await watchBoxes(shop.deps)
    assert.deepEqual(await audit(), [])
    assert.equal((await stretches(shop)).length, 3)
  })

  test(`${name}: the same readings in any order end in the same excursions`, async () => {
    await using shop = await shopWithBox(open)
    let box = 0
    const temperatures = fc.array(fc.constantFrom(2, 4, 6, 9), { minLength: 6, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(
        temperatures,
        fc.array(fc.nat(99), { minLength: 14, maxLength: 14 }),
        fc.nat(3),
        async (list, keys, size) => {
          const boxID = `ANY-${box++}`
          await shop.admin('POST', '/api/box/registration', { boxID, fisher })
          const readings = list.map((temperature, i) => [i * 12, temperature] as const)
          const order = readings
            .map((reading, i) => ({ reading, key: keys[i] ?? 0 }))
            .sort((a, b) => a.key - b.key)
          for (let i = 0; i < order.length; i += size + 1)
            await readOf(shop, boxID, ...order.slice(i, i + size + 1).map(({ reading }) => reading))
          assert.deepEqual(await diffExcursions(shop.deps, boxID), [])
        },
      ),
      { numRuns: 8 },
    )
  })
}
