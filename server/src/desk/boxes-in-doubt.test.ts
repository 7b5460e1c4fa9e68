import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoxInDoubt } from '@befaqt/domain/api/today-api'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { watchBoxes } from '#server/excursions/watch-boxes.ts'
import { type Caller, callerOf, owner } from '#server/testing/caller.ts'
import { packedOrder, said } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { explaining } from '#server/testing/explaining.ts'
import { linesOf, type OrderShop, shopWithOrders, snapperBox } from '#server/testing/orders.ts'
import { boxesInDoubt } from './boxes-in-doubt.ts'

const listOf = async (caller: Caller): Promise<BoxInDoubt[]> =>
  (await caller('GET', '/api/manage/desk/today')).json().inDoubt

/** A shop whose box of snapper was warm for hours; an order is packed from it. */
async function shopInDoubt(open?: (typeof testDatabases)[number][1]) {
  const shop = await shopWithOrders(open && { open })
  await snapperBox(shop, 'BOX-1', [1, 9, 9, 9, 9])
  await watchBoxes(shop.deps)
  const order = await packedOrder(shop)
  const [found] = await listOf(shop.admin)
  assert.ok(found?.excursion, 'the box is in doubt')
  return { shop, order, found, excursion: `/api/excursion/${found.excursion.id}` }
}

const buys = async (shop: OrderShop): Promise<number> =>
  (await shop.place({ lines: linesOf({ snapper: 1 }) })).statusCode

for (const [name, open] of testDatabases)
  test(`${name}: a box in doubt is taken off sale at once, says so to whoever comes second, and comes back only if nobody else wants it off`, async () => {
    const { shop, found, excursion } = await shopInDoubt(open)
    await using _ = shop
    const { excursion: warm, ...rest } = found
    assert.match(warm?.text ?? '', /up to 9\.0 °C/)
    assert.deepEqual(rest, {
      ...{ boxID: 'BOX-1', species: 'Snapper', complaints: 0, stops: ['Snapper'], goesOn: [], orders: 1 },
      sale: { boxID: 'BOX-1', offSale: null, recalled: false },
    })
    await snapperBox(shop, 'BOX-2')
    const [both] = await listOf(shop.admin)
    assert.deepEqual([both?.stops, both?.goesOn], [[], ['Snapper']], 'another box has it, too')
    await shop.admin('PUT', '/api/box/BOX-2/sale', { offSale: true, reason: 'Smells' })

    assert.equal(await buys(shop), 201)
    const kim = await callerOf(shop, 'kim', 'USER', ['box:write'])
    const off = async (who: Caller) => {
      const reply = await who('POST', `${excursion}/withdrawal`)
      assert.equal(reply.statusCode, 200, reply.body)
      return reply.json().sale
    }
    const back = async (who: Caller, since: string) =>
      (await who('POST', `${excursion}/return?${new URLSearchParams({ since })}`)).statusCode
    const first = await off(shop.admin)
    assert.deepEqual([first.changed, first.offSale.by], [true, 'admin Sample'])
    assert.equal(await buys(shop), 409, 'nothing of it is sold')
    assert.equal((await off(shop.admin)).changed, false, 'a second press does nothing')
    const shown = (await listOf(shop.admin))[0]?.sale
    assert.deepEqual({ ...shown, changed: true }, first)
    assert.equal(await back(shop.admin, first.offSale.at), 204)
    assert.equal(await buys(shop), 201)
    assert.equal(await back(shop.admin, first.offSale.at), 204, 'nor does a second way back')

    const answers = await Promise.all([off(shop.admin), off(kim)])
    assert.deepEqual(answers.map(({ changed }) => changed).sort(), [false, true], 'one of two at once')
    const [mine, theirs] = answers[0].changed ? [shop.admin, kim] : [kim, shop.admin]
    const { at } = answers[0].offSale
    assert.deepEqual(answers[1].offSale.at, at, 'the other is told who was first')
    await off(theirs)
    assert.equal(await back(mine, at), 409, 'what somebody else wants, too, is not taken back')
    assert.equal(await back(theirs, at), 409)
    assert.equal(await buys(shop), 409)
    const history = await shop.admin('GET', '/api/history?entity=box&id=BOX-1')
    const agreed = history.json().rows.filter(({ after }: { after: object }) => 'alsoOffSale' in after)
    assert.equal(agreed.length, 1, 'it is noted once')

    const sale = (offSale: boolean, more: object = {}) =>
      shop.admin('PUT', '/api/box/BOX-1/sale', { offSale, ...(offSale && { reason: 'Smells' }), ...more })
    assert.equal((await sale(false)).statusCode, 200, 'on the box’s own page it is')
    const again = (await sale(true)).json()
    assert.deepEqual([again.changed, again.offSale.reason], [true, 'Smells'])
    assert.equal((await sale(false, { since: at })).statusCode, 409, 'it was taken off again since')
    await shop.admin('POST', '/api/box/BOX-1/recall', { reason: 'Ill' })
    const recalled = await sale(false, { since: again.offSale.at })
    assert.deepEqual([recalled.statusCode, recalled.json().error.code], [409, 'box.recalled'])
    await sale(false)
    const stays = await sale(false, { since: again.offSale.at })
    assert.equal(stays.statusCode, 409, 'what is recalled is not called on sale again')
    assert.equal((await listOf(shop.admin))[0]?.sale.recalled, true)
  })

test('boxes in doubt are those that each person’s rights open, and who has no right to stop a box can’t', async () => {
  const { shop, order, excursion } = await shopInDoubt()
  await using _ = shop
  await said(shop, order)
  const seen = async (caller: Caller) =>
    (await listOf(caller)).map(({ excursion, complaints }) => [excursion !== null, complaints])
  assert.deepEqual(await seen(shop.admin), [[true, 1]])
  const packer = await callerOf(shop, 'pat', 'USER', ['order:write'])
  const boxes = await callerOf(shop, 'kim', 'USER', ['box:write'])
  const shelves = await callerOf(shop, 'cat', 'USER', ['shop:write'])
  assert.deepEqual(await seen(packer), [[false, 1]])
  assert.deepEqual(await seen(boxes), [[true, 0]])
  assert.deepEqual(await seen(shelves), [])
  const off = { offSale: true, reason: 'Complaint' }
  for (const caller of [shelves, packer])
    assert.equal((await caller('POST', `${excursion}/withdrawal`)).statusCode, 403)
  for (const caller of [shelves, boxes])
    assert.equal((await caller('PUT', '/api/box/BOX-1/sale', off)).statusCode, 403)
  const stopped = await packer('PUT', '/api/box/BOX-1/sale', off)
  assert.deepEqual([stopped.statusCode, stopped.json().changed], [200, true])

  const waiting = (await shop.admin('GET', '/api/manage/attention')).json()
  const decide = waiting.find(({ kind }: { kind: string }) => kind === 'to-decide')
  assert.deepEqual([decide?.count, decide?.href], [1, '/manage/order?status=decide'])
})

/** Boxes, with an order of each. */
const MANY = 10_000

/** A box of each tenth order is complained of, and each tenth box was warm, of which most were looked at. */
async function fill(db: Db): Promise<void> {
  const each = sql`from generate_series(1, ${MANY}::int) n`
  for (const statement of [
    sql`insert into boxes (id, count, head, species) select 'MANY-' || n, 1, repeat('0', 64), 'Snapper' ${each}`,
    sql`insert into orders (id, number, status, kind, slot_id, slot_starts_at, agreed_cents, tolerance_percent,
          delivery_cents, total_cents)
        select 'o' || n, 'BF-2020-' || n, 'COMPLETED', 'pickup', s.id, s.starts_at, 1, 1, 0, 1
        from generate_series(1, ${MANY}::int) n, (select id, starts_at from slots limit 1) s`,
    sql`insert into order_lines (order_id, position, product_id, title, unit, price_cents, discount, quantity, include_gst)
        select 'o' || n, 1, 'snapper', 'Snapper', 'kg', 3000, 0, 1, false ${each}`,
    sql`insert into order_line_boxes (order_id, position, box_id, amount) select 'o' || n, 1, 'MANY-' || n, 1000 ${each}`,
    sql`insert into complaints (id, order_id, status, lines, wrong, wish, about_boxes, checked_at)
        select 'c' || n, 'o' || n * 10, 'OPEN', '[1]', '["not-fresh"]', 'refund', true, case when n % 10 > 0 then now() end
        from generate_series(1, ${MANY / 10}::int) n`,
    sql`insert into excursions (id, box_id, kind, since, grade, closed_at)
        select 'e' || n, 'MANY-' || n, 'warm', now(), 0, case when n % 100 > 0 then now() end ${each}`,
    sql`analyze`,
  ])
    await rows(db, statement)
}

for (const [name, open] of testDatabases)
  test(`${name}: boxes in doubt of a shop of some years are found, and no table that grows is read whole`, async () => {
    await using shop = await shopWithOrders({ open })
    await fill(shop.deps.db)
    const plans: string[] = []
    assert.equal((await boxesInDoubt(explaining(shop.deps.db, plans), owner, 8)).length, 8)
    assert.ok(plans.length > 0)
    for (const plan of plans)
      assert.doesNotMatch(plan, /Seq Scan on (boxes|orders|order_line\w*|complaints|excursions)\b/)
  })
