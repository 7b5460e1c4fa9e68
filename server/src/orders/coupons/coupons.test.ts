import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { PlaceOrder } from '@befaqt/domain/order'
import { eq, sql } from 'drizzle-orm'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'
import { anonymous } from '#server/identity/principal.ts'
import { callerOf } from '#server/testing/caller.ts'
import { check, contact, coupon, made, order, ordered, refusal } from '#server/testing/coupons.ts'
import { testDatabases } from '#server/testing/database.ts'
import { linesOf, moved, shopWithOrders, withoutBoxes } from '#server/testing/orders.ts'
import { invoiceSheet } from '../documents/order-sheets.ts'
import { placeTogether } from '../place-together.ts'
import { readWholeOrder } from '../read-orders.ts'

for (const [name, open] of testDatabases) {
  test(`${name}: of 20 orders at once a coupon of 5 uses goes to 5; what is cancelled gives its use back`, async () => {
    await using shop = await shopWithOrders({ open })
    await made(shop, 'five', { amount: 50, uses: 5 })
    const slots = [shop.pickup, await shop.newSlot({})]
    // Each in a transaction of its own, as from another process; neighbours have no other row in common.
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const input = PlaceOrder.parse({
          lines: linesOf(i % 2 === 0 ? { ice: 1 } : { snapper: 1 }),
          contact: contact(`buyer${i}`),
          fulfilment: { kind: 'pickup', slot: slots[i % 2] },
          coupon: i % 3 === 0 ? 'FIVE' : ' five ',
        })
        const request = { keyHash: randomUUID(), fingerprint: '' }
        const wish = { principal: anonymous, input, network: randomUUID(), request }
        const { answers } = await changeCatalogue(shop.deps, (tx) => placeTogether(tx, shop.deps, [wish]))
        return answers[0]
      }),
    )
    const placed = answers.flatMap((one) => (one && 'response' in one ? [JSON.parse(one.response)] : []))
    assert.equal(placed.length, 5)
    for (const refused of answers)
      if (refused instanceof Error) assert.equal(refused.details.reason, 'used up')
    const stock = (await shop.stockOf('ice')) + (await shop.stockOf('snapper'))
    assert.equal(stock, 95, 'nothing is taken for those that are refused')
    const { used, given, state } = (await coupon(shop, 'FIVE')) ?? {}
    assert.deepEqual([used, given, state], [5, 250, 'used up'])

    await moved(shop, placed[0]._id, 'CANCELLED')
    assert.equal((await coupon(shop, 'FIVE'))?.used, 4)
    const again = await ordered(shop, 'FIVE', { ice: 1 }, { contact: contact('late') })
    assert.deepEqual([again.totals.total, again.totals.coupon, again.coupon.code], [450, 50, 'FIVE'])
    assert.equal(await refusal(shop, 'FIVE', { ice: 1 }), 'used up')
  })

  test(`${name}: one customer uses a coupon as often as it says, by account or email, and a first order is one`, async () => {
    await using shop = await shopWithOrders({ open })
    await made(shop, 'once', { amount: 100, usesEach: 1 })
    await made(shop, 'first', { amount: 200, firstOrder: true })
    const guest = { contact: contact('Guest') }
    const twice = await Promise.all([1, 2].map(() => order(shop, 'once', { ice: 1 }, guest)))
    assert.deepEqual(twice.map(({ statusCode }) => statusCode).sort(), [201, 409])
    assert.equal(await refusal(shop, 'once', { ice: 1 }, { contact: contact('gUEST') }), 'yours')
    assert.equal(await refusal(shop, 'first', { ice: 1 }, guest), 'first')
    await ordered(shop, 'once', { ice: 1 }, { contact: contact('other') })

    const ann = await callerOf(shop, 'ann', 'USER')
    const asked = { lines: linesOf({ ice: 1 }), fulfilment: { kind: 'pickup', slot: shop.pickup } }
    const asAnn = (email: string, more: object) =>
      ann(
        'POST',
        '/api/order',
        { ...asked, contact: contact(email), ...more },
        { 'idempotency-key': randomUUID() },
      )
    assert.equal((await asAnn('ann', { coupon: 'first' })).statusCode, 201)
    const byAccount = await asAnn('elsewhere', { coupon: 'FIRST' })
    assert.equal(byAccount.json().error.reason, 'first')
    const checked = await ann('POST', '/api/coupon/check', {
      code: 'first',
      lines: asked.lines,
      account: true,
    })
    assert.deepEqual([checked.statusCode, checked.json().error.reason], [409, 'first'])
    assert.equal((await check(shop, 'first', { ice: 1 })).statusCode, 200, 'of guests nothing is said')
    // What is sent again is the same order.
    const key = { 'idempotency-key': randomUUID() }
    const body = { lines: linesOf({ ice: 1 }), coupon: 'once', contact: contact('again') }
    const [one, other] = [await shop.place(body, key), await shop.place(body, key)]
    assert.deepEqual([one.statusCode, other.headers['idempotent-replayed']], [201, 'true'])
    assert.deepEqual(other.json(), one.json())
  })

  test(`${name}: a waiting order has its use until it is dropped or lapses, and keeps its coupon when it is confirmed`, async () => {
    await using shop = await shopWithOrders({ open })
    Object.assign(shop.deps.siteFile.orders, { firstOrderDollars: 100 })
    await made(shop, 'two', { percent: 50, uses: 2 })
    const large = (email: string) => ordered(shop, 'two', { snapper: 8 }, { contact: contact(email) })
    const [dropped, kept] = [await large('a'), await large('b')]
    assert.deepEqual(
      [dropped.status, dropped.totals.coupon, dropped.totals.total],
      ['WAITING', 12_000, 12_000],
    )
    assert.equal((await coupon(shop, 'TWO'))?.used, 2)
    assert.equal(await refusal(shop, 'two', { ice: 1 }), 'used up')
    await shop.app.inject({
      method: 'POST',
      url: `${dropped.path}/cancellation${dropped.query}`,
      payload: {},
    })
    assert.equal((await coupon(shop, 'TWO'))?.used, 1)
    const confirmed = await shop.admin('POST', `${kept.path}/confirmation`, {})
    assert.equal(confirmed.statusCode, 200, confirmed.body)
    const { status, totals, coupon: used, agreed } = confirmed.json()
    assert.deepEqual([status, totals.total, used.code, agreed], ['PLACED', 12_000, 'TWO', 12_000])
    assert.equal((await coupon(shop, 'TWO'))?.used, 1)
    const lapsing = await large('c')
    await shop.deps.db
      .update(waitingOrders)
      .set({ endsAt: sql`clock_timestamp() - interval '2 minutes'` })
      .where(eq(waitingOrders.id, lapsing._id))
    assert.equal((await coupon(shop, 'TWO'))?.used, 1)
    await ordered(shop, 'two', { ice: 1 })
  })
}

test('GST and weights: each line pays its share, percent of what is weighed, an amount at most the lines', async () => {
  await using shop = await shopWithOrders()
  await made(shop, 'tenth', { percent: 10 })
  await made(shop, 'seven', { amount: 700, products: ['snapper'] })
  const placed = await ordered(shop, 'tenth', { snapper: 2, ice: 1 }, { expectedTotal: 5_850 })
  assert.deepEqual(
    placed.lines.map(({ total, coupon, gst }: Record<string, number>) => [total, coupon, gst]),
    [
      [5_400, 600, 0],
      [450, 50, 41],
    ],
  )
  const { total, taxable, free, gst } = placed.totals
  assert.deepEqual([total, taxable, free, gst], [5_850, 450, 5_400, 41])
  const packed = await shop.admin('PUT', `${placed.path}/packing`, { lines: [{ position: 1, grams: 1_001 }] })
  // 3003 + 500, of which a tenth rounds to 350 and 300.04… of them are of the snapper.
  assert.deepEqual([packed.json().totals.total, packed.json().totals.coupon], [3_153, 350])
  await moved(shop, placed._id, 'PACKED')
  const sheet = invoiceSheet(
    await readWholeOrder(shop.deps.db, placed._id),
    { name: 'Sample', abn: '51824753556', address: '1 Bank St' },
    withoutBoxes,
  )
  const text = JSON.stringify([sheet.rows, sheet.sums])
  assert.match(text, /Snapper\\nCoupon TENTH: -\$3\.00.*Ice\\nCoupon TENTH: -\$0\.50.*incl\. \$0\.41/)
  assert.match(text, /Coupon TENTH, taken off above","-\$3\.50"\],\["Total","\$31\.53"/)

  const amount = await ordered(shop, 'seven', { snapper: 0.25, ice: 1 })
  assert.deepEqual([amount.totals.total, amount.totals.coupon], [550, 700])
  const grams = async (weight: number) =>
    (await shop.admin('PUT', `${amount.path}/packing`, { lines: [{ position: 1, grams: weight }] })).json()
  const less = await grams(200)
  assert.deepEqual([less.totals.coupon, less.totals.total, less.asksBuyer], [600, 500, false])
  const more = await grams(300)
  assert.deepEqual([more.totals.coupon, more.totals.total, more.asksBuyer], [700, 700, true])
  const csv = (await shop.admin('GET', '/api/order/export.csv')).body.split('\r\n')
  assert.match(csv[0] ?? '', /order total,coupon,coupon off line,/)
  assert.match(csv.find((row) => row.includes('Snapper') && row.includes('SEVEN')) ?? '', /,SEVEN,7\.00,/)
})

test('a changed order keeps its coupon by its rules as they were, and says when less than its minimum is left', async () => {
  await using shop = await shopWithOrders()
  const { _id } = await made(shop, 'min', { percent: 20, minimum: 5_000 })
  const placed = await ordered(shop, 'min', { snapper: 2, ice: 1 })
  assert.equal((await shop.admin('PATCH', `/api/coupon/${_id}`, { ended: true })).statusCode, 200)
  assert.equal(await refusal(shop, 'min', { snapper: 2 }), 'over')
  const amend = async (version: number, quantity: number) => {
    const reply = await shop.app.inject({
      method: 'POST',
      url: `${placed.path}/amendment${placed.query}`,
      headers: { 'idempotency-key': randomUUID() },
      payload: { version, lines: [{ position: 1, quantity }] },
    })
    assert.equal(reply.statusCode, 200, reply.body)
    return reply.json()
  }
  const more = await amend(1, 3)
  assert.deepEqual([more.totals.coupon, more.totals.total, more.agreed], [1_900, 7_600, 7_600])
  const less = await amend(2, 1)
  assert.deepEqual([less.totals.coupon, less.totals.total], [undefined, 3_500])
  assert.match(less.events.at(-1).reason, /Coupon MIN takes nothing off: it needs \$50\.00 of goods\.$/)
  const back = await amend(3, 2)
  assert.deepEqual([back.totals.coupon, back.coupon.code], [1_300, 'MIN'])
  const left = await shop.admin('POST', `${placed.path}/left-out`, { position: 1, reason: 'None came' })
  assert.deepEqual([left.json().totals.coupon, left.json().totals.total], [100, 400], 'not the buyer’s doing')
})
