import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import type { SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { marketTime } from '@befaqt/domain/market-time'
import { SLOT_DAYS } from '@befaqt/domain/slot-rules'
import { asc, eq, isNotNull, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { slots } from '#server/db/schema/orders.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { buyer, linesOf, moved, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { fillSlots, fillSlotsJob, lockRules, SLOT_QUEUE, scheduleFill } from './fill-slots.ts'

const rule = {
  kind: 'pickup',
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  from: '08:00',
  to: '10:00',
  capacity: 3,
  cutOffMinutes: 60,
}
const silent = { warn: () => undefined, error: () => undefined }

const madeSlots = ({ deps }: OrderShop) =>
  deps.db.select().from(slots).where(isNotNull(slots.ruleId)).orderBy(asc(slots.startsAt))
const plan = async ({ admin }: OrderShop): Promise<SlotPlan> => (await admin('GET', '/api/slot/plan')).json()

test('who changed slots, rules and closed days is in the audit log', async () => {
  await using shop = await shopWithOrders()
  const { admin, pickup } = shop
  await admin('POST', '/api/slot/rule', rule)
  const day = { day: '2030-12-25', reason: 'Christmas' }
  await admin('POST', '/api/slot/closed-day', day)
  await admin('PATCH', `/api/slot/${pickup}`, { capacity: 7 })
  const history = async (entity: string) =>
    (await admin('GET', `/api/history?entity=${entity}`)).json().rows[0]
  const [slot, weekly, closed] = [
    await history('slot'),
    await history('slot-rule'),
    await history('closed-day'),
  ]
  assert.deepEqual([slot.action, slot.before, slot.after], ['update', { capacity: 1_000 }, { capacity: 7 }])
  assert.deepEqual([weekly.action, weekly.after.from], ['create', '08:00'])
  assert.deepEqual([closed.entityId, closed.after], [day.day, { reason: day.reason }])
})

for (const [name, open] of testDatabases)
  test(`${name}: a rule makes slots for the days ahead, once, whoever runs the job how often`, async () => {
    await using shop = await shopWithOrders({ open })
    const made = await shop.admin('POST', '/api/slot/rule', rule)
    assert.equal(made.statusCode, 201, made.body)
    const first = await madeSlots(shop)
    assert.ok(first.length >= SLOT_DAYS - 1, `${first.length} slots`)
    assert.deepEqual(made.json(), { made: first.length, changed: 0, removed: 0, kept: 0 })
    const clocks = new Set(
      first.map(({ startsAt }) => marketTime(startsAt.getTime(), 'Australia/Sydney').slice(11)),
    )
    assert.deepEqual([...clocks], ['08:00:00'])
    const offered = (await shop.app.inject('/api/slot?kind=pickup')).json()
    assert.ok(offered.some(({ _id }: { _id: string }) => _id === first.at(-1)?.id))

    const run = (days: number) => {
      const now = () => new Date(Date.now() + days * 86_400_000)
      return fillSlotsJob({ db: shop.deps.db, now })({}, new AbortController().signal)
    }
    await Promise.all([run(0), run(0), run(0)])
    assert.equal((await madeSlots(shop)).length, first.length)
    await run(1)
    assert.equal((await madeSlots(shop)).length, first.length + 1, 'a day later one more')
    await scheduleFill(shop.deps.db, new Date())
    await scheduleFill(shop.deps.db, new Date())
    const job = { [SLOT_QUEUE]: fillSlotsJob({ db: shop.deps.db, now: () => new Date() }) }
    assert.equal(await runDueJobs(shop.deps.db, job, silent, new AbortController().signal), 1)
  })

test('PostgreSQL: a rule can be deleted while its slots are made', { skip: withoutPostgres }, async () => {
  await using shop = await shopWithOrders({ open: testPostgres })
  const { db } = shop.deps
  await shop.admin('POST', '/api/slot/rule', rule)
  const [{ _id } = { _id: '' }] = (await plan(shop)).rules
  await db.delete(slots).where(eq(slots.ruleId, _id))
  const deleted = await db.transaction(async (tx) => {
    await lockRules(tx)
    const answer = shop.admin('DELETE', `/api/slot/rule/${_id}`)
    const waiting = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    while ((await rows(db, waiting)).length === 0) await setTimeout(20)
    await fillSlots(tx, new Date())
    return [answer]
  })
  assert.equal((await deleted[0])?.statusCode, 200)
  assert.equal((await madeSlots(shop)).length, 0)
})

test('slots follow their rule, unless they have orders or were changed by hand', async () => {
  await using shop = await shopWithOrders()
  await shop.admin('POST', '/api/slot/rule', rule)
  const [, ordered, edited, held, deleted, free] = await madeSlots(shop)
  assert.ok(ordered && edited && held && deleted && free)
  const fulfilment = { kind: 'pickup', slot: ordered.id }
  assert.equal((await shop.place({ lines: linesOf({ ice: 1 }), fulfilment })).statusCode, 201)
  assert.equal((await shop.admin('PATCH', `/api/slot/${edited.id}`, { capacity: 9 })).json().edited, true)
  const hold = { lines: linesOf({ ice: 1 }), slot: held.id, contact: buyer }
  assert.equal(
    (await shop.app.inject({ method: 'POST', url: '/api/order/hold', payload: hold })).statusCode,
    201,
  )
  assert.equal((await shop.admin('DELETE', `/api/slot/${deleted.id}`)).statusCode, 204)
  const [{ _id, version } = { _id: '', version: 0 }] = (await plan(shop)).rules
  const url = `/api/slot/rule/${_id}`

  const before = (await madeSlots(shop)).length
  const changed = (await shop.admin('PUT', url, { ...rule, capacity: 5, version })).json()
  assert.deepEqual(changed, { made: 0, changed: before - 3, removed: 0, kept: 3 })
  const after = new Map((await madeSlots(shop)).map((slot) => [slot.id, slot.capacity]))
  assert.deepEqual(
    [ordered, edited, held, deleted, free].map(({ id }) => after.get(id)),
    [3, 9, 3, undefined, 5],
  )
  const stale = await shop.admin('PUT', url, { ...rule, capacity: 6, version })
  assert.deepEqual([stale.statusCode, stale.json().error.code], [409, 'version.stale'])

  const day = free.ruleDay
  const closed = await shop.admin('POST', '/api/slot/closed-day', { day, reason: 'Holiday' })
  assert.deepEqual([closed.statusCode, closed.json().removed], [201, 1])
  assert.deepEqual((await plan(shop)).closedDays, [{ day, reason: 'Holiday' }])
  assert.equal((await shop.admin('DELETE', `/api/slot/closed-day/${day}`)).json().made, 1)

  const gone = (await shop.admin('DELETE', url)).json()
  assert.deepEqual([gone.made, gone.changed, gone.kept], [0, 0, 3])
  assert.deepEqual((await madeSlots(shop)).length, 0)
  const left: ManagedSlot[] = (await shop.admin('GET', '/api/slot/all?when=coming&kind=pickup')).json().rows
  assert.deepEqual(left.map(({ _id: id }) => id).sort(), [shop.pickup, ordered.id, edited.id, held.id].sort())
  assert.equal((await shop.admin('DELETE', url)).statusCode, 404)
})

test('a slot with orders is not deleted, also when they were cancelled; of past ones there is a list', async () => {
  await using shop = await shopWithOrders()
  const { _id } = await shop.placed({ ice: 1 })
  const refused = await shop.admin('DELETE', `/api/slot/${shop.pickup}`)
  assert.deepEqual([refused.statusCode, refused.json().error.code], [409, 'slot.has_orders'])
  assert.match(refused.json().error.message, /An order is for this time.*Close it/)
  await moved(shop, _id, 'CANCELLED')
  assert.equal((await shop.admin('DELETE', `/api/slot/${shop.pickup}`)).statusCode, 409)
  assert.equal((await shop.admin('DELETE', `/api/slot/${shop.delivery}`)).statusCode, 204)
  assert.equal((await shop.admin('DELETE', `/api/slot/${shop.delivery}`)).statusCode, 404)
  assert.equal((await shop.admin('GET', '/api/slot/all?when=past')).json().total, 0)
})

test('bad rules and days are refused with the field', async () => {
  await using shop = await shopWithOrders()
  for (const [bad, path] of [
    [{ weekdays: [] }, 'weekdays'],
    [{ from: '25:00' }, 'from'],
    [{ to: '07:00' }, 'to'],
    [{ kind: 'delivery' }, 'area'],
    [{ capacity: 1e9 }, 'capacity'],
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
  ] as const) {
    const reply = await shop.admin('POST', '/api/slot/rule', { ...rule, ...bad })
    assert.deepEqual([reply.statusCode, reply.json().error.fields?.[0]?.path], [400, path], reply.body)
  }
  assert.equal((await shop.admin('POST', '/api/slot/closed-day', { day: '2026-02-30' })).statusCode, 400)
  assert.equal((await shop.admin('DELETE', '/api/slot/closed-day/%00')).statusCode, 404)
  assert.deepEqual(await plan(shop), { rules: [], closedDays: [] })
  assert.equal((await madeSlots(shop)).length, 0)
})
