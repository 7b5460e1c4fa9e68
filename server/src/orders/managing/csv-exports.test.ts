import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecallOrder } from '@befaqt/domain/api/recall-api'
import { readCell } from '@befaqt/domain/csv-cells'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { parse } from 'csv-parse/sync'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { fsmaCsv } from '#server/boxes/epcis/trade-documents.ts'
import { exportProducts } from '#server/catalogue/products/product-csv.ts'
import { orderContacts, orderLines } from '#server/db/schema/orders.ts'
import { products } from '#server/db/schema/shop.ts'
import { anonymous } from '#server/identity/principal.ts'
import { originCsv } from '#server/orders/documents/order-sheets.ts'
import { readWholeOrder } from '#server/orders/read-orders.ts'
import { recallCsv } from '#server/orders/recalling/routes.ts'
import { shopWithOrders, withoutBoxes } from '#server/testing/orders.ts'
import { exportOrders } from './order-csv.ts'

/** Pieces that spreadsheets and careless readers take for the end of a row or cell, or for a formula. */
const pieces = [...'\n\r\u2028\v\'",;\t+ ', '\r\n', '=1+1', '＝1', '﹦1', '@SUM(1)', '-1']
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 6 })
    .map((parts) => parts.join('')),
)
const texts = [
  "Hi\n=cmd|' /C calc'!A0",
  'a\r=1+1',
  '\n=1',
  "'\n'=1",
  '=1',
  '',
  ...fc.sample(anyText, 60).filter((text) => !text.includes('\0') && text.isWellFormed()),
]

const bought: RecallOrder = {
  _id: 'o',
  number: 'BF-1',
  status: 'PACKED',
  kind: 'pickup',
  contact: null,
  lines: [],
  createdAt: '2026-11-24T09:00:00Z',
  notice: 'given up',
  noticeError: '',
}

const whole = async (parts: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const part of parts) text += part
  return text
}

/** Reads a file as others do, and one that only splits lines. Every row has the width of the header. */
function read(file: string): Record<string, string>[] {
  const [names = [], ...rows] = parse(file, { bom: true }) as string[][]
  for (const line of file.slice(1).split(/[\r\n\v\u2028]/))
    assert.doesNotMatch(line, /^"?[=+\-@＝﹦]/, JSON.stringify(line))
  return rows.map((cells) => Object.fromEntries(names.map((name, i) => [name, readCell(cells[i] ?? '')])))
}

test('any text that is exported is read back as it was, and no line of a file begins a formula', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  const { _id: id } = await shop.placed({ snapper: 1, ice: 1 })
  for (const text of texts) {
    await db.update(orderContacts).set({ note: text, lname: text }).where(eq(orderContacts.orderId, id))
    await db.update(orderLines).set({ title: text, origin: text }).where(eq(orderLines.orderId, id))
    const rows = read(await whole(exportOrders(shop.deps, anonymous, {})))
    assert.deepEqual(
      rows.map((row) => [row.note, row['last name'], row.product, row.quantity]),
      [1, 1].map(() => [text, text, text, '1']),
    )
    await db.update(products).set({ description: text }).where(eq(products.id, 'ice'))
    const ice = read(await whole(exportProducts(db))).find(({ _id }) => _id === 'ice')
    assert.equal(ice?.description, text)
    const proof = read(originCsv(await readWholeOrder(db, id), 'http://shop', withoutBoxes))
    assert.deepEqual(
      proof.map(({ product, origin }) => [product, origin]),
      [1, 1].map(() => [text, text]),
    )
    const recalled = recallCsv({
      ...{ boxID: 'A', recall: null, toDecide: [] },
      orders: [{ ...bought, noticeError: text }],
    })
    assert.deepEqual(
      read(recalled).map((row) => [row.error, row.name]),
      [[text, '']],
    )
  }
})

test('the spreadsheet of boxes reads back whatever the shop is named', async () => {
  await using shop = await shopWithOrders()
  const made = await shop.admin('POST', '/api/box', { ...sampleBox(), boxID: 'A-1' })
  assert.equal(made.statusCode, 201, made.body)
  for (const name of texts) {
    const deps = { ...shop.deps, siteFile: { ...shop.deps.siteFile, name } }
    const rows = read(await whole(fsmaCsv(deps, ['A-1'])))
    assert.deepEqual(
      rows.map((row) => [row['Traceability lot code'], row['Receiver location']]),
      [['A-1', name]],
    )
  }
})
