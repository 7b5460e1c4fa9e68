import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FishReport } from '@befaqt/domain/api/desk-api'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { eventKinds } from '#server/db/events.ts'
import { callerOf } from '#server/testing/caller.ts'
import { packedOrder, placedOrder } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { moved, type OrderShop, shopWithOrders, snapperBox } from '#server/testing/orders.ts'
import { boxes, diffBoxes } from './box-sums.ts'
import { follow, rebuild } from './projection.ts'
import { readFish } from './read-boxes.ts'

const URL = '/api/manage/report/fish'

async function fish(shop: OrderShop, query: Record<string, string> = {}): Promise<FishReport> {
  await follow(shop.deps, boxes(shop.deps))
  const reply = await shop.admin('GET', `${URL}?${new URLSearchParams(query)}`)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

/** Bought, sold, lost and left of what is weighed. */
const balance = ({ totals }: FishReport): number[] => {
  const sums = totals.find(({ measure }) => measure === 'grams')?.now
  return sums ? [sums.bought, sums.sold, sums.lost, sums.left] : []
}

async function differences(shop: OrderShop): Promise<string[]> {
  const found: string[] = []
  for await (const one of diffBoxes(shop.deps)) found.push(one)
  return found
}

for (const [name, open] of testDatabases)
  test(`${name}: fish is bought, sold, lost and left, also when it comes back`, async () => {
    await using shop = await shopWithOrders({ open })
    const order = await placedOrder(shop)
    assert.deepEqual(balance(await fish(shop)), [20_000, 0, 0, 20_000])
    const packed = await packedOrder(shop)
    const lost = await shop.admin('POST', '/api/box/BOX-1/loss', {
      product_id: 'snapper',
      amount: 500,
      reason: 'dropped',
    })
    assert.ok(lost.statusCode < 300, lost.body)
    const after = await fish(shop)
    assert.deepEqual(balance(after), [20_000, 1_000, 500, 18_500])
    const [snapper] = after.rows
    assert.deepEqual([snapper?.name, snapper?.now.boxes, snapper?.measure], ['Snapper', 1, 'grams'])
    const { excellent, good, useSoon, over } = snapper?.now ?? {}
    assert.equal(
      (excellent ?? 0) + (good ?? 0) + (useSoon ?? 0) + (over ?? 0),
      1_000,
      'how fresh it was is known',
    )
    const fresh = await fish(shop, { by: 'freshness' })
    assert.deepEqual([fresh.rows, fresh.totals, snapper?.now.unsaid], [after.rows, after.totals, 0])
    const { left } = (await shop.admin('GET', '/api/box/BOX-1/balance')).json()[0]
    assert.equal(balance(after)[3], left, 'as the box says')

    const byBox = await fish(shop, { by: 'box' })
    const [box] = byBox.rows
    assert.deepEqual([box?.key, box?.name, box?.now.sold, box?.before], ['BOX-1', 'Snapper', 1_000, null])
    assert.deepEqual(byBox.species, after.rows, 'its species beside the range before')
    await moved(shop, packed.id, 'CANCELLED', { reason: 'asked for' })
    assert.deepEqual(balance(await fish(shop)), [20_000, 0, 500, 19_500], 'it goes back')
    await shop.admin('PUT', '/api/box/BOX-1/products', [{ product_id: 'snapper', quantity: 12.5 }])
    const fewer = await fish(shop)
    assert.deepEqual([balance(fewer), await differences(shop)], [[12_500, 0, 500, 12_000], []])
    await rebuild(shop.deps.db, boxes(shop.deps))
    assert.equal((await shop.admin('GET', URL)).json().isMade, false)
    assert.deepEqual([await fish(shop), await differences(shop)], [fewer, []])
    await moved(shop, order.id, 'CANCELLED', { reason: 'asked for' })
  })

test('what is counted is beside what is weighed, by dozens as pieces, and former ranges beside this one', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  for (const id of ['BOX-1', 'BOX-2']) await snapperBox(shop, id)
  await rows(db, sql`update product_boxes set unit = 'dozen' where box_id = 'BOX-2'`)
  await rows(db, sql`update boxes set created_at = now() - interval '30 days' where id = 'BOX-1'`)
  await rows(db, sql`insert into events (kind, keys) values (${eventKinds.boxTraded}, array['BOX-1'])`)
  const { rows: found, more } = await fish(shop)
  assert.deepEqual(
    found.map(({ measure, now, before }) => [measure, now.bought, before?.bought]),
    [
      ['grams', 0, 20_000],
      ['pieces', 240, 0],
    ],
  )
  assert.equal(more, false)
  await rows(db, sql`update box_sums set bought = 1 where box_id = 'BOX-2'`)
  assert.deepEqual(await differences(shop), ['box BOX-2 is in reports otherwise than its rows say'])
})

test('the file has kilograms and pieces, harmless in a spreadsheet, for who may see reports', async () => {
  await using shop = await shopWithOrders()
  await packedOrder(shop)
  await rows(shop.deps.db, sql`update boxes set species = '@Snapper'`)
  await fish(shop)
  const reply = await shop.admin('GET', `${URL}/export`)
  const [head, line] = reply.body.slice(1).split('\r\n')
  assert.match(
    head ?? '',
    /^species,in,boxes,bought,sold,lost,left,excellent,good,use soon,past its best,boxes before/,
  )
  assert.match(line ?? '', /^'@Snapper,kg,1,20,1,0,19,/)
  const all = reply.body.split('\r\n')[2]
  assert.equal(all, line?.replace("'@Snapper", 'All'), 'what all come to')
  const byBox = await shop.admin('GET', `${URL}/export?by=box`)
  assert.match(byBox.body, /\r\nBOX-1,'@Snapper,\d{4}-\d\d-\d\d,kg,1,20,1,0,19,/)
  const rita = await callerOf(shop, 'rita', 'USER', ['report:read'])
  const pat = await callerOf(shop, 'pat', 'USER', ['order:write'])
  for (const url of [URL, `${URL}/export`])
    assert.deepEqual([(await rita('GET', url)).statusCode, (await pat('GET', url)).statusCode], [200, 403])
})

for (const [name, open] of testDatabases)
  test(`${name}: waste is by reason, the same in capitals, beside the range before, and adds up to what was lost`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    for (const id of ['BOX-1', 'BOX-2']) await snapperBox(shop, id)
    const lose = async (id: string, amount: number, reason: string): Promise<void> => {
      const reply = await shop.admin('POST', `/api/box/${id}/loss`, { product_id: 'snapper', amount, reason })
      assert.ok(reply.statusCode < 300, reply.body)
    }
    await lose('BOX-1', 300, 'Dropped')
    await lose('BOX-2', 100, 'dropped')
    await lose('BOX-2', 200, 'DROPPED')
    await lose('BOX-2', 1_000, '=trimmed')
    await rows(db, sql`update boxes set created_at = now() - interval '30 days' where id = 'BOX-1'`)
    await rows(db, sql`update box_losses set unit = 'dozen', amount = 2 where amount = 100`)
    await rows(
      db,
      sql`insert into events (kind, keys) values (${eventKinds.boxTraded}, array['BOX-1', 'BOX-2'])`,
    )
    const { reasons, totals, rows: none } = await fish(shop, { by: 'reason' })
    assert.deepEqual(
      reasons.map(({ name, measure, now, before }) => [
        name,
        measure,
        now.times,
        now.lost,
        before.times,
        before.lost,
      ]),
      [
        ['=trimmed', 'grams', 1, 1_000, 0, 0],
        ['Dropped', 'grams', 1, 200, 1, 300],
        ['dropped', 'pieces', 1, 24, 0, 0],
      ],
    )
    assert.deepEqual([totals.map(({ now }) => now.lost), none], [[1_200, 24], []])
    const { body } = await shop.admin('GET', `${URL}/export?by=reason`)
    assert.match(body, /^\ufeff?reason,in,times,lost,times before,lost before\r\n'=trimmed,kg,1,1,0,0\r\n/)
    assert.match(body, /\r\nAll,kg,2,1.2,1,0.3\r\nAll,pieces,1,24,0,0\r\n$/)
  })

test('a page has the first boxes, each below its species, and of species and reasons no more than it shows', async () => {
  await using shop = await shopWithOrders()
  const { db, now, siteFile } = shop.deps
  for (const id of ['BOX-1', 'BOX-2', 'BOX-3', 'BOX-4']) {
    await snapperBox(shop, id)
    for (const reason of ['dropped', `spilt by ${id}`])
      await shop.admin('POST', `/api/box/${id}/loss`, { product_id: 'snapper', amount: 100, reason })
  }
  await rows(db, sql`update boxes set species = case when id in ('BOX-1', 'BOX-3') then 'Bream' else id end`)
  await rows(db, sql`update product_boxes set quantity = 30 where box_id = 'BOX-4'`)
  await rows(db, sql`insert into events (kind, keys) values (${eventKinds.boxTraded}, array['BOX-4'])`)
  await fish(shop)
  const read = (by: FishReport['by'], most?: number) => readFish({ db, now, siteFile }, { by }, most)
  const all = await read('box')
  assert.deepEqual(
    [all.species.map(({ name }) => name), all.rows.map(({ key }) => key), all.more],
    [['Bream', 'BOX-4', 'BOX-2'], ['BOX-1', 'BOX-3', 'BOX-4', 'BOX-2'], false],
  )
  const some = await read('box', 2)
  assert.deepEqual(
    [some.species.map(({ name }) => name), some.rows.map(({ key }) => key), some.more],
    [['Bream', 'BOX-4', 'BOX-2'], ['BOX-1', 'BOX-2'], true],
    'the first two, and that of a box that is shown',
  )
  const one = await read('box', 1)
  assert.deepEqual([one.species.map(({ name }) => name), one.rows.length], [['Bream'], 1])
  const species = await read('species', 2)
  assert.deepEqual([species.rows.length, species.more, species.species], [2, true, []])
  const reasons = await read('reason', 2)
  assert.deepEqual([reasons.reasons.map(({ now: { lost } }) => lost), reasons.more], [[400, 100], true])
})

test('how fresh fish was when it was sold is said of each species and of all, with what was not said, beside the range before', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  await packedOrder(shop)
  await fish(shop)
  for (const id of ['BOX-2', 'BOX-3']) await snapperBox(shop, id)
  await fish(shop)
  const sums = [
    ['BOX-1', 'Snapper', '0 days', 600, 0, 100, 0, 1_000],
    ['BOX-2', 'Bream', '0 days', 0, 500, 0, 500, 1_000],
    ['BOX-3', 'Bream', '30 days', 250, 0, 0, 0, 250],
  ] as const
  for (const [id, species, age, excellent, good, soon, over, sold] of sums)
    await rows(
      db,
      sql`with b as (update boxes set species = ${species} where id = ${id})
          update box_sums set excellent = ${excellent}, good = ${good}, use_soon = ${soon}, over = ${over}, sold = ${sold},
            day = to_char(day::date - ${age}::interval, 'YYYY-MM-DD') where box_id = ${id}`,
    )
  const read = await readFish(shop.deps, { by: 'freshness' })
  const said = ({ now, before }: FishReport['rows'][number]) =>
    [now, before].map((one) => [one?.excellent, one?.good, one?.useSoon, one?.over, one?.unsaid])
  assert.deepEqual(Object.fromEntries(read.rows.map((row) => [row.name, said(row)])), {
    Snapper: [
      [600, 0, 100, 0, 300],
      [0, 0, 0, 0, 0],
    ],
    Bream: [
      [0, 500, 0, 500, 0],
      [250, 0, 0, 0, 0],
    ],
  })
  assert.deepEqual(said(read.totals[0] as FishReport['rows'][number]), [
    [600, 500, 100, 500, 300],
    [250, 0, 0, 0, 0],
  ])
  const file = (await shop.admin('GET', `${URL}/export?by=freshness`)).body.split('\r\n')
  assert.match(file[0] ?? '', /^.species,in,sold,excellent,good,use soon,past its best,not said,sold before,/)
  assert.equal(file[3], 'All,kg,2,0.6,0.5,0.1,0.5,0.3,0.25,0.25,0,0,0,0')
})
