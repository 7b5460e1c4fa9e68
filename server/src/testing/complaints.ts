import assert from 'node:assert/strict'
import type { ComplaintInput, ComplaintView, OrderComplaints } from '@befaqt/domain/api/complaint-api'
import sharp from 'sharp'
import { formOf } from './files.ts'
import { linesOf, moved, type OrderShop, snapperBox } from './orders.ts'

/** An order whose page somebody with its signed link has open. */
export type OrderByLink = { id: string; path: string; query: string; number: string }

export const spoilt: ComplaintInput = {
  lines: [1],
  wrong: ['not-fresh'],
  words: 'It smells of ammonia.',
  wish: 'refund',
}

/** Places an order of snapper from BOX-1 and of ice, and packs it. */
export async function packedOrder(shop: OrderShop): Promise<OrderByLink> {
  const order = await placedOrder(shop)
  const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID: 'BOX-1', amount: 1_000 }] }]
  const packed = await shop.admin('PUT', `${order.path}/packing`, { lines })
  assert.equal(packed.statusCode, 200, packed.body)
  await moved(shop, order.id, 'PACKED')
  return order
}

/** The same, not packed. The first one makes the box. */
export async function placedOrder(shop: OrderShop): Promise<OrderByLink> {
  if ((await shop.admin('GET', '/api/manage/box/BOX-1')).statusCode === 404) await snapperBox(shop)
  const reply = await shop.place({ lines: linesOf({ snapper: 1, ice: 1 }) })
  assert.equal(reply.statusCode, 201, reply.body)
  const { _id: id, link, number } = reply.json()
  return { id, path: `/api/order/${id}`, query: new URL(link).search, number }
}

/** A photo as a phone takes it: it says where. */
export const phonePhoto = (shade = 80): Promise<Buffer> =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: { r: shade, g: 90, b: 100 } } })
    .withExif({ IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '33/1 52/1 0/1' } })
    .jpeg()
    .toBuffer()

/** Says what is wrong with an order, by its link. */
export async function say(
  { app }: Pick<OrderShop, 'app'>,
  { path, query }: OrderByLink,
  input: unknown = spoilt,
  photos: readonly Uint8Array[] = [],
) {
  const form = await formOf([
    ['complaint', JSON.stringify(input)],
    ...photos.map((bytes, i) => ['photos', { bytes, name: `${i}.jpg` }] as const),
  ])
  return app.inject({ method: 'POST', url: `${path}/complaint${query}`, ...form })
}

export async function said(...asked: Parameters<typeof say>): Promise<ComplaintView> {
  const reply = await say(...asked)
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json()
}

/** What the buyer sees of an order's complaints. */
export async function seenComplaints(
  { app }: Pick<OrderShop, 'app'>,
  { path, query }: OrderByLink,
): Promise<OrderComplaints> {
  const reply = await app.inject(`${path}/complaint${query}`)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}
