import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { PlaceOrder } from '@befaqt/domain/order'
import { count, eq, sql } from 'drizzle-orm'
import type { LightMyRequestResponse } from 'fastify'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { rows } from '#server/db/client.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { idempotencyKeys, orders } from '#server/db/schema/orders.ts'
import { anonymous } from '#server/identity/principal.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, type OrderShop, shopWithOrders } from '#server/testing/orders.ts'
import { rowsRead } from '#server/testing/rows-read.ts'
import { placeTogether, type Wish } from './place-together.ts'

type Ask = {
  lines?: Record<string, number>
  contact?: object
  network?: string
  key?: string
  slot?: string
  expectedTotal?: number
  payment?: string
  hold?: string
}

/** What somebody wants, as the route parses it, each from a network of its own unless one is named. */
function wishIn(shop: OrderShop, ask: Ask = {}): Wish {
  const { lines = { ice: 1 }, contact = {}, network = randomUUID(), key = randomUUID(), slot, ...more } = ask
  const input = PlaceOrder.parse({
    lines: linesOf(lines),
    contact: { ...buyer, ...contact },
    fulfilment: { kind: 'pickup', slot: slot ?? shop.pickup },
    ...more,
  })
  return { principal: anonymous, input, network, request: { keyHash: key, fingerprint: JSON.stringify(ask) } }
}

/** What each of these wishes comes to, placed in one transaction: the number of the order, or its refusal. */
async function together({ deps }: OrderShop, wishes: readonly Wish[]): Promise<string[]> {
  const { answers } = await changeCatalogue(deps, (tx) => placeTogether(tx, deps, wishes))
  return answers.map((answer) => {
    if (answer instanceof Error) return answer.code
    const stored = JSON.parse(answer.response)
    return `${stored.number?.slice(-2) ?? stored.status}${answer.replayed ? ' again' : ''}`
  })
}

for (const [name, open] of testDatabases) {
  test(`${name}: orders that come together get what is left one after the other, numbered without gaps`, async () => {
    await using shop = await shopWithOrders({ open })
    const ordered = Array.from({ length: 20 }, () => shop.place({ lines: linesOf({ ice: 3 }) }))
    const replies = await Promise.all(ordered)
    const statuses = Object.groupBy(replies, ({ statusCode }) => statusCode)
    assert.deepEqual([statuses[201]?.length, statuses[409]?.length], [16, 4])
    for (const refused of statuses[409] ?? []) assert.deepEqual(leftOf(refused), [['ice', 3, 2]])
    const numbers = (statuses[201] ?? []).map((reply) => Number(reply.json().number.slice(-6)))
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: 16 }, (_, i) => i + 1),
    )
    assert.equal(await shop.stockOf('ice'), 2)
    assert.equal(await shop.deps.db.$count(jobs, eq(jobs.queue, MAIL_QUEUE)), 16)
    assert.equal(await shop.deps.db.$count(idempotencyKeys), 16, 'what was refused leaves its key free')
  })

  test(`${name}: who is refused takes nothing from those who come at the same time`, async () => {
    await using shop = await shopWithOrders({ open })
    const small = await shop.newSlot({ capacity: 1 })
    const answers = await together(shop, [
      wishIn(shop, { lines: { ice: 51 } }),
      wishIn(shop),
      wishIn(shop, { expectedTotal: 1 }),
      wishIn(shop, { slot: randomUUID() }),
      wishIn(shop, { slot: small }),
      wishIn(shop, { slot: small }),
      wishIn(shop, { payment: 'card' }),
      wishIn(shop, { lines: { snapper: 0.5, ice: 1 } }),
    ])
    const refused = { stock: 'stock.insufficient', price: 'price.changed', slot: 'slot.unavailable' }
    assert.deepEqual(answers, [
      refused.stock,
      '01',
      refused.price,
      refused.slot,
      '02',
      refused.slot,
      'input.invalid',
      '03',
    ])
    assert.deepEqual([await shop.stockOf('ice'), await shop.stockOf('snapper')], [47, 49.5])
  })

  test(`${name}: one order that can't be written is not the end of those that come with it`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    await rows(
      db,
      sql.raw(`create function refuse_contact() returns trigger language plpgsql as
        $$ begin if new.fname = 'Odd' then raise exception 'odd'; end if; return new; end $$`),
    )
    await rows(
      db,
      sql.raw(
        `create trigger odd before insert on order_contacts for each row execute function refuse_contact()`,
      ),
    )
    const names = ['Ann', 'Odd', 'Bea', 'Cleo']
    const replies = await Promise.all(
      names.map((fname) => shop.place({ lines: linesOf({ ice: 1 }), contact: { ...buyer, fname } })),
    )
    assert.deepEqual(
      replies.map(({ statusCode }) => statusCode),
      [201, 500, 201, 201],
    )
    const numbers = await rows<{ number: string }>(db, sql`select number from orders order by number`)
    assert.deepEqual(
      numbers.map(({ number }) => number.slice(-2)),
      ['01', '02', '03'],
    )
  })
}

const leftOf = (reply: LightMyRequestResponse) =>
  reply
    .json()
    .error.lines.map((line: { product_id: string; wanted: number; left: number }) => [
      line.product_id,
      line.wanted,
      line.left,
    ])

test('one key is one order, also when it comes twice at the same time', async () => {
  await using shop = await shopWithOrders()
  const one = wishIn(shop, { key: 'one' })
  const other = wishIn(shop, { key: 'one', lines: { ice: 2 } })
  const refused = wishIn(shop, { key: 'two', lines: { ice: 99 } })
  assert.deepEqual(await together(shop, [one, { ...one }, other, refused, { ...refused }]), [
    '01',
    '01 again',
    'idempotency.differs',
    'stock.insufficient',
    'stock.insufficient',
  ])
  assert.deepEqual(await together(shop, [one, wishIn(shop, { key: 'two' })]), ['01 again', '02'])
  assert.equal(await shop.stockOf('ice'), 48)
})

test('orders of one network share what is left to it, of a product and of a time', async () => {
  await using shop = await shopWithOrders({}, { limited: true })
  const network = 'a network'
  const some = Array.from({ length: 5 }, () => wishIn(shop, { lines: { ice: 3 }, network }))
  const other = wishIn(shop, { lines: { ice: 3 } })
  const short = 'stock.insufficient'
  assert.deepEqual(await together(shop, [...some, other]), ['01', '02', '03', '04', short, '05'])
  const slot = await shop.newSlot({ capacity: 8 })
  const near = Array.from({ length: 3 }, () => wishIn(shop, { lines: { snapper: 1 }, network, slot }))
  assert.deepEqual(await together(shop, [...near, wishIn(shop, { slot })]), [
    '06',
    '07',
    'slot.unavailable',
    '08',
  ])
})

test('what a shopper holds is theirs in an order that comes with others, and free after it', async () => {
  await using shop = await shopWithOrders()
  await shop.admin('PATCH', '/api/product/ice', { stock: 4 })
  const slot = await shop.newSlot({ capacity: 2 })
  const held = await shop.app.inject({
    method: 'POST',
    url: '/api/order/hold',
    payload: { lines: linesOf({ ice: 3 }), slot, contact: buyer },
  })
  assert.equal(held.statusCode, 201, held.body)
  const hold = held.json()._id
  assert.deepEqual(
    await together(shop, [
      wishIn(shop, { lines: { ice: 2 } }),
      wishIn(shop, { lines: { ice: 2 }, hold, slot }),
      wishIn(shop, { lines: { ice: 2 }, slot }),
      wishIn(shop, { lines: { ice: 1 }, slot }),
    ]),
    ['stock.insufficient', '01', '02', 'stock.insufficient'],
  )
  assert.equal((await rows(shop.deps.db, sql`select 1 as one from holds`)).length, 0)
})

test('a large first order waits beside others that are placed', async () => {
  await using shop = await shopWithOrders({}, { limited: true })
  Object.assign(shop.deps.siteFile.orders, { networkShare: 1 })
  const answers = await together(shop, [wishIn(shop, { lines: { snapper: 20 } }), wishIn(shop)])
  assert.deepEqual(answers, ['WAITING', '01'])
  assert.equal(await shop.stockOf('snapper'), 50)
})

test('a group tells of the products alone whose cards show another stock', async () => {
  await using shop = await shopWithOrders()
  await shop.admin('PATCH', '/api/product/ice', { stock: 55 }) // cards show steps of ten
  await rows(shop.deps.db, sql`delete from events`)
  const orders = [{ ice: 1 }, { snapper: 25 }, { snapper: 25 }].map((lines) =>
    shop.place({ lines: linesOf(lines) }),
  )
  for (const { statusCode } of await Promise.all(orders)) assert.equal(statusCode, 201)
  const told = await rows<{ keys: string[] | null }>(
    shop.deps.db,
    sql`select keys from events where kind = 'catalogue.changed'`,
  )
  assert.deepEqual([...new Set(told.flatMap(({ keys }) => keys ?? ['all']))], ['snapper'])
})

test('each counts for the limits of its network and recipient', async () => {
  await using shop = await shopWithOrders()
  const contact = { email: 'often@example.org' }
  const answers = await together(
    shop,
    Array.from({ length: 22 }, () => wishIn(shop, { contact })),
  )
  assert.deepEqual([answers[19], answers[20], answers[21]], ['20', 'rate.limited', 'rate.limited'])
  assert.deepEqual(await together(shop, [wishIn(shop, { contact }), wishIn(shop)]), ['rate.limited', '21'])
})

test('twenty orders take as many statements as two', async (t) => {
  await using shop = await shopWithOrders({}, { limited: true })
  const statementsOf = async (orders: number): Promise<number> => {
    const wishes = Array.from({ length: orders }, (_, i) =>
      wishIn(shop, { contact: { email: `ann${i}@example.org` } }),
    )
    let statements = 0
    await changeCatalogue(shop.deps, async (tx) => {
      const { mock } = t.mock.method(Reflect.get(tx, 'session'), 'prepareQuery')
      const made = await placeTogether(tx, shop.deps, wishes)
      statements = mock.callCount()
      return made
    })
    return statements
  }
  const two = await statementsOf(2)
  assert.equal(await statementsOf(20), two)
  assert.ok(two < 36, `${two}`)
  assert.equal((await shop.deps.db.select({ n: count() }).from(orders))[0]?.n, 22)
})

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: an order reads nothing of what was sold of its products before`, async () => {
    await using shop = await shopWithOrders({ open })
    const { db } = shop.deps
    await shop.placed({ ice: 1 })
    await db.execute(sql`analyze orders, order_lines`) // as the database last looked, which a rush outruns
    await db.execute(sql`insert into orders (id, number, status, kind, slot_id, slot_starts_at, agreed_cents,
        tolerance_percent, delivery_cents, total_cents, network)
      select 'o' || n, 'BF-2020-' || n, 'PLACED', 'pickup', s.id, s.starts_at, 1, 1, 0, 1, 'n' || n
      from generate_series(1, 3000) n, (select id, starts_at from slots where id = ${shop.delivery}) s`)
    await db.execute(sql`insert into order_lines (order_id, position, product_id, title, price_cents, discount, unit,
        include_gst, quantity)
      select 'o' || n, 1, 'ice', 'Ice', 1, 0, 'bag', false, 1 from generate_series(1, 3000) n`)
    await changeCatalogue(shop.deps, async (tx) => {
      const read = await rowsRead(tx, ['order_lines'], () => placeTogether(tx, shop.deps, [wishIn(shop)]))
      assert.ok(read.order_lines < 20, `${read.order_lines} lines`)
    })
  })
