import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { settledInvariants } from './audit.ts'
import { orderOf } from './buying.ts'
import { embeddedWorld } from './embedded-world.ts'
import { checkInvariants, invariants } from './invariants.ts'
import type { LetterKind } from './letters.ts'
import { Choice, type Model } from './model.ts'
import { acts, playStorm } from './run.ts'
import type { Act, Storm } from './storm.ts'

const ICE = { product: 'ice', quantity: 1 } as const

/** Statements that do what a fault would have done, and the invariant that has to see it. */
const planted: readonly (readonly [
  invariant: keyof typeof invariants | keyof typeof settledInvariants,
  what: string,
  ...statements: SQL[],
])[] = [
  [
    'stock is what was put in, less what was sold',
    'stock that nobody put in',
    sql`update products set stock = stock + 1 where id = 'ice'`,
  ],
  [
    'stock is what was put in, less what was sold',
    'more held than there is',
    sql`insert into holds (id, expires_at) values ('h', now() + interval '1 hour')`,
    sql`insert into hold_lines select 'h', id, stock + 1 from products where id = 'ice'`,
  ],
  [
    'a box gives no more than it held',
    'a loss of more than there is',
    sql`insert into box_losses (box_id, product_id, amount, unit, reason, who) values ('a-1', 'snapper', 60000, 'kg', 'x', 'x')`,
  ],
  [
    'a box gives no more than it held',
    'a cancelled order that keeps its box',
    sql`insert into order_line_boxes (order_id, position, box_id, amount)
        select id, 1, 'B-2', 1 from orders where status = 'CANCELLED' limit 1`,
  ],
  [
    'what was charged and refunded is what orders say',
    'a cent more than was charged',
    sql`update payments set captured_cents = captured_cents + 1 where state in ('CAPTURED', 'REFUNDED')`,
  ],
  [
    'what was charged and refunded is what orders say',
    'a charge that the provider does not know',
    sql`update payments set captured_cents = amount_cents where state = 'AUTHORIZED'`,
    sql`update payments set state = 'CAPTURED' where captured_cents = amount_cents`,
  ],
  [
    'an order costs what its goods, coupon and delivery come to',
    'a total that is a cent too much',
    sql`update orders set total_cents = total_cents + 1 where status = 'PLACED'`,
  ],
  [
    'an order costs what its goods, coupon and delivery come to',
    'a coupon that takes a cent less off',
    sql`update orders set coupon_cents = coupon_cents - 1, total_cents = total_cents + 1 where coupon_cents > 0`,
  ],
  [
    'an order costs what its goods, coupon and delivery come to',
    'a delivery for nothing where it has a fee',
    sql`update orders set delivery = '{"area": "x", "fee": 9, "minimum": 0, "freeFrom": null}' where kind = 'delivery'`,
  ],
  [
    'an order costs what its goods, coupon and delivery come to',
    'more charged than was agreed on',
    sql`update orders set agreed_cents = agreed_cents / 2 where status = 'COMPLETED'`,
  ],
  [
    'a coupon is used no more often than it may be',
    'more orders than uses',
    sql`update coupons set uses = 0 where id in (select coupon_id from orders where status <> 'CANCELLED')`,
  ],
  [
    'a coupon is used no more often than it may be',
    'one customer who used it more often than a customer may',
    sql`update coupons set uses = null, uses_each = 0 where id in (select coupon_id from orders where status <> 'CANCELLED')`,
  ],
  [
    'no more is promised than an order cost',
    'a promise of more',
    sql`update complaints set promised_cents = 1000000`,
  ],
  [
    'no more is promised than an order cost',
    'given back without a promise',
    sql`update complaints set promised_cents = null, refunded_at = now(), refund_way = 'cash'`,
  ],
  [
    'what follows from events goes on, and the log grows',
    'a cursor that is past all events',
    sql`insert into event_consumers (name, last) select 'x', last + 1 from event_numbers`,
  ],
  [
    'an account prefers one of ten addresses',
    'an account without the address that it prefers',
    sql`update addresses set preferred = false`,
  ],
  [
    'who waits for what can be bought is told',
    'a wish that nobody looked at',
    sql`insert into stock_notices (id, product_id, email, address, confirmed_at, ends_at)
        select gen_random_uuid(), id, 'x', 'x', now(), now() + interval '1 day' from products where stock > 0`,
  ],
  [
    'who waits for what can be bought is told',
    'a plan that nobody carried out',
    sql`update products set due_at = now() - interval '1 minute' where id = 'ice'`,
  ],
  [
    'numbers of orders and invoices run without gap or double',
    'an order number that was left out',
    sql`update orders set number = left(number, -3) || '999' where number = (select max(number) from orders)`,
  ],
  [
    'numbers of orders and invoices run without gap or double',
    'an invoice number twice',
    sql`alter table orders drop constraint "orders_invoiceNumber_unique"`,
    sql`update orders set invoice_number = (select min(invoice_number) from orders) where invoice_number is not null`,
  ],
  [
    'an order goes from state to state as it may',
    'a state that no event tells of',
    sql`update orders set status = 'SENT' where status = 'COMPLETED'`,
  ],
  [
    'a time takes no more orders than it has room for',
    'a time with less room than orders',
    sql`update slots set capacity = 1`,
  ],
  [
    'excursions are those of the readings',
    'an excursion that no reading shows',
    sql`insert into excursions (id, box_id, kind, since, peak, peak_at) values ('e', 'a-1', 'warm', '2020-01-01', 9, '2020-01-01')`,
  ],
  [
    'what is derived of a box follows from its rows',
    'a summary of another fish',
    sql`update boxes set summary = jsonb_set(summary, '{species}', '"Squid"') where id = 'c-3'`,
  ],
  [
    'the history of a box is whole',
    'a head of no records',
    sql`update boxes set head = repeat('0', 64) where id = 'c-3'`,
  ],
  [
    'what is derived of a box follows from its rows',
    'a loss that no record tells of',
    sql`insert into box_losses (box_id, product_id, amount, unit, reason, who) values ('B-2', 'snapper', 1, 'kg', 'x', 'x')`,
  ],
  [
    'payments are settled as orders are',
    'a payment that waits although its order is cancelled',
    sql`update payments set state = 'AUTHORIZED' where state = 'RELEASED'`,
  ],
  [
    'every buyer is told how things stand',
    'an order that was cancelled without a word',
    sql`update orders set status = 'CANCELLED' where status = 'COMPLETED'`,
  ],
]
class Undone extends Error {}

test('embedded: whatever is done in any order, stock, mass, money, numbers and emails hold, and each fault is seen', async (t) => {
  const then = (storm: Storm, model: Model) => plantFaults(t, storm, model)
  await playStorm(1, { steps: 8, open: embeddedWorld, then, shortenS: 0, lookEvery: 4 })
})

/** Does what faults would do: the invariants that are there for them have to see it. */
async function plantFaults(t: TestContext, storm: Storm, model: Model): Promise<void> {
  const { world } = storm
  const all = { ...invariants, ...settledInvariants }
  const look = (name: keyof typeof all, db: Db) => all[name]({ ...world, db }, model, storm)

  for (const [name, what, ...statements] of planted)
    await t.test(`${name}: ${what}`, async () => {
      const undone = world.db.transaction(async (tx) => {
        for (const statement of statements) await rows(tx, statement)
        assert.notEqual(await look(name, tx), null)
        throw new Undone()
      })
      await assert.rejects(undone, Undone)
      assert.equal(await look(name, world.db), null, 'undone')
    })

  await t.test('who was erased is nowhere: a note that still names them', async () => {
    const name = 'who was erased is nowhere'
    const undone = world.db.transaction(async (tx) => {
      await rows(tx, sql`update order_contacts set note = ${`for ${model.gone[0]}`}`)
      assert.match((await look(name, tx)) ?? '', /is in order_contacts/)
      throw new Undone()
    })
    await assert.rejects(undone, Undone)
  })

  const sums = 'what buyers read of an order adds up'
  const shown: [what: string, change: (view: OrderView) => object][] = [
    ['a total of a cent more', ({ totals }) => ({ totals: { ...totals, total: totals.total + 1 } })],
    ['GST that is not that of its lines', ({ totals }) => ({ totals: { ...totals, gst: totals.gst + 1 } })],
    [
      'a line that says another',
      (view) => ({ lines: view.lines.map((one) => ({ ...one, total: one.total + 1 })) }),
    ],
    ['a share of a coupon', (view) => ({ lines: view.lines.map((one) => ({ ...one, coupon: 2 })) })],
  ]
  for (const [what, change] of shown)
    await t.test(`${sums}: ${what}`, async () => {
      const ask: Storm['ask'] = async (...asked) => {
        const answer = await storm.ask(...asked)
        const view = answer.json<OrderView>()
        return { ...answer, json: <T>() => ({ ...view, ...change(view) }) as T }
      }
      const faulty = Object.assign(Object.create(storm), { ask })
      assert.notEqual(await settledInvariants[sums](world, { ...model, looked: new Map() }, faulty), null)
    })

  const letters = await world.letters()
  const emails = 'an email comes once, and not after its reverse'
  const ofKind = (kind: LetterKind) => letters.filter((letter) => letter.kind === kind).slice(0, 1)
  for (const [what, more] of [
    ['ready after cancelled', ofKind('cancelled').map((letter) => ({ ...letter, kind: 'ready' as const }))],
    ['placed twice', ofKind('placed')],
    ['withdrawn twice', ofKind('withdrawn')],
    ['recalled twice', [...ofKind('recalled'), ...ofKind('recalled')]],
  ] as const)
    await t.test(`${emails}: ${what}`, async () => {
      const told = { ...world, letters: async () => [...letters, ...more] }
      assert.notEqual(await invariants[emails](told, model), null)
    })

  await t.test(`${emails}: a row of the queue twice`, async () => {
    world.refuseMail(true)
    await storm.ask('POST', '/api/order', orderOf(model, new Choice([0]), { lines: [ICE] }).asking)
    await world.settle()
    await rows(
      world.db,
      sql`insert into jobs (queue, payload) select queue, payload from jobs where queue = 'mail.send'`,
    )
    world.refuseMail(false)
    await world.settle()
    await assert.rejects(checkInvariants(storm, model), { invariant: emails })
  })

  await t.test('no process logs an error or ends by itself: one that did', async () => {
    const faulty = { ...world, faults: () => ['it ended'] }
    assert.equal(await invariants['no process logs an error or ends by itself'](faulty, model), 'it ended')
  })

  await t.test('every process shows what may be sold: stock that no card was told of', async () => {
    await rows(world.db, sql`update products set stock = 0 where id = 'ice'`)
    assert.notEqual(await look('every process shows what may be sold', world.db), null)
  })

  await t.test('every box verifies: a record that was changed in its place', async () => {
    await rows(
      world.db,
      sql`update records set body = replace(body, '"temperature":2', '"temperature":3') where box_id = 'a-1'`,
    )
    assert.notEqual(await look('every box verifies', world.db), null)
  })
}

test('a storm in which something never succeeds fails, and names it', async () => {
  const useless: Act = { name: 'ask for the moon', run: async () => false }
  const browse = acts.filter(({ name }) => name === 'browse')
  const options = { steps: 1, open: embeddedWorld, lap: [], among: [...browse, useless], shortenS: 0 }
  await assert.rejects(playStorm(1, options), ({ cause }: Error) => {
    assert.match(String(cause), /never succeeded: (browse; )?ask for the moon/)
    return true
  })
})

test('a storm that fails names its seed and path, and is shortened to what makes it fail', async () => {
  const breaks: Act = {
    name: 'take from stock what nobody bought',
    run: async ({ world }) => {
      await rows(world.db, sql`update products set stock = stock - 1 where id = 'ice'`)
      return true
    },
  }
  const browse = acts.filter(({ name }) => name === 'browse')
  const options = { steps: 2, open: embeddedWorld, lap: [], among: [...browse, breaks] }
  await assert.rejects(playStorm(3, options), ({ message, cause }: Error) => {
    assert.match(message, /seed: 3, path: "[\d:]+"[\s\S]*replayPath/)
    assert.match(String(cause), /stock is what was put in, less what was sold: ice: \d+ in stock/)
    assert.equal(String(cause).match(/^take from stock/gm)?.length, 1)
    assert.doesNotMatch(String(cause), /^browse/m)
    return true
  })
})
