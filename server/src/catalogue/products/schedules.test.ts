import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noSchedule } from '@befaqt/domain/schedule'
import { asc, eq } from 'drizzle-orm'
import { jobs } from '#server/db/schema/jobs.ts'
import { categories, changes, products } from '#server/db/schema/shop.ts'
import { recurringJobs, workersOf } from '#server/job-registry.ts'
import { callerOf } from '#server/testing/caller.ts'
import { type TestDb, testDatabases } from '#server/testing/database.ts'
import { noticeShop, setStock } from '#server/testing/notices.ts'
import { testShop } from '#server/testing/shop.ts'
import { followSchedulesJob } from './follow-schedules.ts'
import { SCHEDULE_QUEUE } from './plan.ts'

const four = '2026-11-27T05:00:00.000Z' // 16:00 in Sydney
const six = '2026-11-27T07:00:00.000Z'
const never = new AbortController().signal

/** A shop with three products whose clock is moved by hand, from four in the afternoon. */
async function plannedShop(open?: () => Promise<TestDb>) {
  const clock = { now: new Date(four) }
  const shop = await testShop({ ...(open && { open }), deps: { now: () => clock.now } })
  const { db } = shop.deps
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db.insert(products).values([
    { id: 'a', title: 'A', categoryId: 'c', priceCents: 1000, discount: 5 },
    { id: 'b', title: 'B', categoryId: 'c', priceCents: 2000 },
    { id: 'x', title: 'X', categoryId: 'c', priceCents: 3000, status: 'INACTIVE' },
  ])
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const follow = () => followSchedulesJob(shop.deps)({}, never)
  return {
    ...shop,
    admin,
    follow,
    /** What the clock shows now, and what is planned carried out. */
    at: async (moment: string) => {
      clock.now = new Date(moment)
      await follow()
    },
    clock,
    bulk: (ids: string[], schedule: object) => admin('POST', '/api/product/bulk', { ids, set: { schedule } }),
    row: async (id: string) => (await db.select().from(products).where(eq(products.id, id)))[0],
    seen: async (id: string): Promise<{ price: number; discount: number } | undefined> =>
      (await shop.app.inject('/api/product/active')).json().find((one: { _id: string }) => one._id === id),
    history: async (id: string) =>
      (await db.select().from(changes).where(eq(changes.entityId, id)).orderBy(asc(changes.id))).map(
        ({ who, before, after }) => ({ who, before, after }),
      ),
  }
}

const untilSix = { markdown: { percent: 20, until: '2026-11-27 18:00' } }

for (const [name, open] of testDatabases) {
  test(`${name}: a markdown until six begins at once for many, shows in the shop, ends by itself, and is in the history`, async () => {
    await using shop = await plannedShop(open)
    const answer = await shop.bulk(['a', 'b'], untilSix)
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual([(await shop.seen('a'))?.discount, (await shop.seen('b'))?.discount], [20, 20])
    const queued = await shop.deps.db.select().from(jobs).where(eq(jobs.queue, SCHEDULE_QUEUE))
    assert.deepEqual(
      queued.map(({ uniqueKey }) => uniqueKey),
      [six],
      'one job for one moment',
    )
    await shop.at('2026-11-27T06:59:59.999Z')
    assert.equal((await shop.seen('a'))?.discount, 20)
    await shop.at(six)
    assert.deepEqual([(await shop.seen('a'))?.discount, (await shop.seen('b'))?.discount], [5, 0])
    const [begun, over, ...more] = await shop.history('a')
    assert.equal(begun?.who, 'admin')
    assert.equal(over?.who, 'schedule')
    assert.deepEqual(over?.before, {
      discount: 20,
      schedule: { sale: null, markdown: { from: null, until: six, percent: 20, before: 5 } },
    })
    assert.deepEqual(over?.after, { discount: 5, schedule: noSchedule })
    assert.deepEqual(more, [])
    const { version, dueAt } = (await shop.row('a')) ?? {}
    assert.deepEqual([version, dueAt], [3, null])
    await Promise.all([shop.follow(), shop.follow()])
    assert.equal((await shop.row('a'))?.version, 3, 'twice moves nothing more')
  })

  test(`${name}: two at once move each product once; a process that was down catches up, and what was over meanwhile never was`, async () => {
    await using shop = await plannedShop(open)
    await shop.bulk(['a', 'b'], untilSix)
    await shop.bulk(['x'], { sale: { from: '2026-11-27 17:00', until: '2026-11-27 17:30' } })
    shop.clock.now = new Date('2026-11-27T09:00:00Z')
    await Promise.all([shop.follow(), shop.follow(), shop.follow()])
    for (const id of ['a', 'b']) assert.equal((await shop.history(id)).length, 2, id)
    const x = await shop.row('x')
    assert.deepEqual([x?.status, x?.schedule, x?.dueAt], ['INACTIVE', noSchedule, null])
  })

  test(`${name}: a draft goes on sale and off it; a plan that is changed or removed before its moment is not carried out`, async () => {
    await using shop = await plannedShop(open)
    const sale = { from: '2026-11-27 17:00', until: '2026-11-27 18:00' }
    await shop.bulk(['x'], { sale })
    await shop.at('2026-11-27T06:00:00Z')
    assert.equal((await shop.row('x'))?.status, 'ACTIVE')
    assert.ok(await shop.seen('x'))
    await shop.at(six)
    assert.equal(await shop.seen('x'), undefined)
    await shop.bulk(['x'], { sale: { from: '2026-11-27 19:00' } })
    await shop.bulk(['x'], { sale: { from: '2026-11-27 20:00' } })
    await shop.at('2026-11-27T08:00:00Z')
    assert.equal((await shop.row('x'))?.status, 'INACTIVE', 'it was moved to eight')
    await shop.bulk(['x'], { sale: null })
    await shop.at('2026-11-27T10:00:00Z')
    assert.equal((await shop.row('x'))?.status, 'INACTIVE', 'it was removed')
  })

  test(`${name}: a markdown is undone, or ended after it began; a discount that was set by hand meanwhile stays`, async () => {
    await using shop = await plannedShop(open)
    const [change] = (await shop.bulk(['a'], untilSix)).json().rows
    assert.deepEqual([change.discount, change.schedule.markdown.before], [20, 5])
    const undone = await shop.admin('POST', '/api/product/bulk/undo', { changes: [change.change] })
    assert.deepEqual(undone.json().left, [])
    assert.deepEqual([(await shop.row('a'))?.discount, (await shop.row('a'))?.schedule], [5, noSchedule])
    await shop.bulk(['a', 'b'], untilSix)
    const ended = await shop.admin('PATCH', '/api/product/a', { schedule: { markdown: null } })
    assert.equal(ended.json().discount, 5, ended.body)
    await shop.admin('PATCH', '/api/product/b', { discount: 35 })
    await shop.at(six)
    assert.deepEqual([(await shop.row('a'))?.discount, (await shop.row('b'))?.discount], [5, 35])
  })

  test(`${name}: who waits for a product gets one email when its schedule puts it on sale, however often the job runs`, async () => {
    await using shop = await noticeShop(open)
    await shop.waitFor('ann@example.org')
    await shop.admin('PATCH', '/api/product/snapper', { status: 'INACTIVE' })
    await setStock(shop, 5)
    await shop.look()
    assert.deepEqual(await shop.post(), [], 'it is not on sale')
    const from = new Date(Date.now() + 1_000).toISOString()
    const planned = await shop.admin('PATCH', '/api/product/snapper', { schedule: { sale: { from } } })
    assert.equal(planned.statusCode, 200, planned.body)
    const later = { ...shop.deps, now: () => new Date(Date.now() + 5_000) }
    for (const time of ['once', 'twice']) {
      await followSchedulesJob(later)({}, never)
      await shop.look()
      assert.equal((await shop.post()).length, time === 'once' ? 1 : 0, time)
    }
  })
}

test('a schedule that can’t be is refused by its path, and changes nothing; those who may not are refused', async () => {
  await using shop = await plannedShop()
  for (const [schedule, path] of [
    [
      { markdown: { percent: 20, from: '2026-11-28 18:00', until: '2026-11-27 18:00' } },
      'schedule.markdown.until',
    ],
    [{ markdown: { percent: 20, until: '2026-11-27 15:59' } }, 'schedule.markdown.until'],
    [{ markdown: { percent: 0, until: '2026-11-27 18:00' } }, 'schedule.markdown.percent'],
    [{ sale: { from: 'soon' } }, 'schedule.sale.from'],
    [{ sale: { from: '2027-10-03 02:30' } }, 'schedule.sale.from'],
  ] as const) {
    const one = await shop.admin('PATCH', '/api/product/a', { schedule })
    assert.deepEqual([one.statusCode, one.json().error.fields[0].path], [400, path], one.body)
    const many = await shop.bulk(['a', 'b'], schedule)
    assert.equal(many.statusCode, 400, many.body)
    assert.match(many.json().error.fields[0].path, new RegExp(`${path}$`))
  }
  await shop.admin('PATCH', '/api/product/x', { price: 0 })
  const free = await shop.admin('PATCH', '/api/product/x', {
    schedule: { sale: { from: '2026-11-28 10:00' } },
  })
  assert.equal(free.json().error.fields[0].path, 'schedule.sale.from', free.body)
  assert.deepEqual((await shop.history('a')).length, 0)
  const open = (await shop.app.inject('/api/product/active')).json()
  assert.ok(
    open.every((one: object) => !('schedule' in one)),
    'shoppers are told nothing of what is planned',
  )
})

test('a worker carries out what is planned, and a regular look makes up for a job that was lost', async () => {
  await using shop = await plannedShop()
  assert.ok(Object.values(workersOf(shop.deps)).some((handlers) => SCHEDULE_QUEUE in handlers))
  const regular = recurringJobs(shop.deps).find(({ queue }) => queue === SCHEDULE_QUEUE)
  assert.deepEqual(regular?.next(new Date('2026-11-27T05:03:00Z')), new Date('2026-11-27T05:10:00Z'))
})
