import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketDate } from '@befaqt/domain/market-time'
import { dayText } from '@befaqt/domain/moment-text'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { eq } from 'drizzle-orm'
import { products } from '#server/db/schema/shop.ts'
import { boxesOfOrder } from '#server/orders/boxes-at-sale.ts'
import type { WholeOrder } from '#server/orders/order-views.ts'
import { readWholeOrder } from '#server/orders/read-orders.ts'
import { callerOf } from '#server/testing/caller.ts'
import { moved, type OrderShop, shopWithOrders, snapperBox } from '#server/testing/orders.ts'
import type { BoxesAsOf } from './order-sheets.ts'
import { invoiceSheet, originSheet } from './order-sheets.ts'
import { sheetPdf } from './sheet.ts'

const seller = {
  name: 'Sample Fish Pty Ltd',
  abn: '51824753556',
  address: '1 Bank St, Pyrmont NSW 2009',
}
const ZONE = 'Australia/Sydney'
/** An order with its boxes as documents have them. */
async function orderAsOf({ deps }: OrderShop, id: string): Promise<[WholeOrder, BoxesAsOf]> {
  const whole = await readWholeOrder(deps.db, id)
  return [whole, { boxes: await boxesOfOrder(deps, whole), at: deps.now(), timeZone: ZONE }]
}
const sheetOf = async (shop: OrderShop, id: string, by: Partial<typeof seller> = seller) => {
  const [whole, asOf] = await orderAsOf(shop, id)
  return invoiceSheet(whole, by, asOf)
}
const originOf = async (shop: OrderShop, id: string) => {
  const [whole, asOf] = await orderAsOf(shop, id)
  return originSheet(whole, seller, shop.deps.config.PUBLIC_URL, asOf)
}
const asText = (sheet: Awaited<ReturnType<typeof sheetOf>>): string =>
  [sheet.facts, sheet.rows, sheet.sums].flat(2).join('|')

const packed = async (shop: OrderShop, id: string, grams: number) => {
  const lines = [{ position: 1, grams }]
  assert.equal((await shop.admin('PUT', `/api/order/${id}/packing`, { lines })).statusCode, 200)
  return moved(shop, id, 'PACKED')
}

test('a packed order has a mixed tax invoice, which a cancellation reverses', async () => {
  await using shop = await shopWithOrders()
  const { _id, number } = await shop.placed({ snapper: 2, ice: 1 })
  const before = await sheetOf(shop, _id)
  assert.equal(before.title, 'Order statement (not a tax invoice)')
  assert.match(before.notes.join(), /estimated/)
  const { invoiceNumber } = await packed(shop, _id, 2_050)
  const invoice = await sheetOf(shop, _id)
  assert.equal(invoice.title, 'Tax invoice')
  assert.deepEqual(invoice.rows, [
    ['Snapper', '2050 g net', '$30.00/kg', 'GST-free', '$61.50'],
    ['Ice', '1 bag', '$5.00/bag', 'incl. $0.45', '$5.00'],
  ])
  assert.deepEqual(invoice.sums, [
    ['Taxable, with GST', '$5.00'],
    ['GST-free', '$61.50'],
    ['GST', '$0.45'],
    ['Total', '$66.50'],
  ])
  const said = asText(invoice)
  for (const part of [seller.name, '51 824 753 556', seller.address, invoiceNumber ?? '', number])
    assert.ok(said.includes(part), part)
  assert.doesNotMatch(said, /Ann Lee/, 'below $1,000 it names no buyer')
  assert.equal((await sheetOf(shop, _id, {})).title, 'Order statement (not a tax invoice)')
  await moved(shop, _id, 'CANCELLED')
  const note = await sheetOf(shop, _id)
  assert.equal(note.title, 'Adjustment note')
  assert.deepEqual(note.sums.at(-1), ['Total', '-$66.50'])
  assert.ok(asText(note).includes(`Reverses invoice|${invoiceNumber}`))
})

test('from $1,000 on an invoice names the buyer', async () => {
  await using shop = await shopWithOrders()
  const { _id } = await shop.placed({ snapper: 34 })
  await packed(shop, _id, 33_333)
  assert.doesNotMatch(asText(await sheetOf(shop, _id)), /Ann Lee/, 'one cent below')
  const { _id: dear } = await shop.placed({ snapper: 16, ice: 1 })
  await shop.deps.db.update(products).set({ stock: 50 }).where(eq(products.id, 'snapper'))
  const { _id: more } = await shop.placed({ snapper: 34 })
  await packed(shop, dear, 16_000)
  await packed(shop, more, 33_334)
  assert.match(asText(await sheetOf(shop, more)), /Buyer\|Ann Lee, ann@example.org/)
})

test('documents are seen by who may see the order, and name the proofs of its boxes', async () => {
  await using shop = await shopWithOrders()
  const { fisher } = sampleBox()
  await shop.admin('POST', '/api/box/registration', { boxID: 'BOX-1', fisher })
  await shop.admin('PUT', '/api/product/snapper/boxes', [{ boxID: 'BOX-1', quantity: 20 }])
  await shop.deps.db.update(products).set({ title: '=Snapper' }).where(eq(products.id, 'snapper'))
  const { _id, link } = await shop.placed({ snapper: 1, ice: 1 })
  const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID: 'BOX-1', amount: 1_000 }] }]
  await shop.admin('PUT', `/api/order/${_id}/packing`, { lines })
  const other = await callerOf(shop, 'other', 'USER')
  const { search } = new URL(link)
  const last = search.at(-1) === 'A' ? 'B' : 'A'
  for (const name of ['invoice.pdf', 'origin.pdf', 'origin.csv']) {
    const url = `/api/order/${_id}/${name}`
    assert.equal((await shop.app.inject(url)).statusCode, 404, name)
    assert.equal((await shop.app.inject(`${url}${search.slice(0, -1)}${last}`)).statusCode, 404, name)
    assert.equal((await other('GET', url)).statusCode, 404, name)
    assert.equal((await shop.app.inject(`${url}?key=${'x'.repeat(129)}`)).statusCode, 400)
    assert.equal((await shop.admin('GET', url)).statusCode, 200, name)
    const seen = await shop.app.inject(url + search)
    assert.equal(seen.statusCode, 200, name)
    assert.equal(seen.headers['cache-control'], 'no-store')
    if (name.endsWith('pdf')) assert.match(seen.body.slice(0, 8), /^%PDF-1\.\d/)
  }
  const csv = (await shop.app.inject(`/api/order/${_id}/origin.csv${search}`)).body.trim().split('\r\n')
  assert.equal(csv[0], 'order,product,menu,origin,box,page,proof,recalled,state')
  assert.match(
    csv[1] ?? '',
    /,'=Snapper,A,Australia,BOX-1,http.*\/SFMBox\/byId\/BOX-1,http.*\/api\/box\/BOX-1\/proof,,$/,
  )
  assert.match(csv[2] ?? '', /,Ice,,not stated,,,,,$/)
  await shop.admin('POST', '/api/box/BOX-1/recall', { reason: 'Too warm' })
  assert.match((await shop.app.inject(`/api/order/${_id}/origin.csv${search}`)).body, /proof,Too warm/)
  assert.match((await originOf(shop, _id)).rows.flat().join(), /BOX-1\nRECALLED, do not eat: Too warm/)
})

test('documents say how a box is until its line is packed, then how it was, with the date, and of a recalled one nothing else', async () => {
  await using shop = await shopWithOrders()
  const { admin } = shop
  await snapperBox(shop)
  const { _id } = await shop.placed({ snapper: 1, ice: 1 })
  const today = dayText(marketDate(Date.now(), ZONE))
  const state = (when: string) =>
    new RegExp(`${when} ${today} \\d{4}: Excellent, best by \\w{3} \\d+ \\w{3} \\d{4}`)

  for (const sheet of [await sheetOf(shop, _id), await originOf(shop, _id)]) {
    const said = sheet.rows.flat().join('\n')
    assert.match(said, /Not packed yet\. At the moment box BOX-1/)
    assert.match(said, state('As of'))
    assert.match(said, /Stayed cold: never above 5 °C\./)
    assert.match(sheet.notes.join(), /may come from another box/)
  }
  const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID: 'BOX-1', amount: 1_000 }] }]
  await admin('PUT', `/api/order/${_id}/packing`, { lines })
  await moved(shop, _id, 'PACKED')
  for (const sheet of [await sheetOf(shop, _id), await originOf(shop, _id)]) {
    assert.match(sheet.rows.flat().join('\n'), state('When packed,'))
    assert.doesNotMatch(sheet.rows.flat().join(), /Not packed yet/)
    assert.doesNotMatch(sheet.notes.join(), /another box/)
    assert.equal(sheet.rows[1]?.[0], 'Ice', 'nothing of what comes from no box')
  }
  await admin('POST', '/api/box/BOX-1/recall', { reason: 'Too warm' })
  for (const sheet of [await sheetOf(shop, _id), await originOf(shop, _id)]) {
    const said = sheet.rows.flat().join('\n')
    assert.match(said, /RECALLED, do not eat: Too warm/)
    assert.doesNotMatch(said, /best by|cold|Excellent/)
  }
})

test('a long document goes over several pages, with any letters', async () => {
  const rows = Array.from({ length: 100 }, (_, i) => [`Fish ${i} 鱼 \u{1f41f} Größe`, 'x '.repeat(60)])
  const columns = [
    { heading: 'A', width: 1 },
    { heading: 'B', width: 1 },
  ]
  const pdf = await sheetPdf({
    title: 'Long',
    facts: [],
    columns,
    rows,
    sums: [['Total', '$1.00']],
    notes: [],
  })
  assert.ok(pdf.toString('latin1').split('/Type /Page\n').length > 4)
})
