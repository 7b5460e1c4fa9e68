import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { OrderView, PlacedOrder } from '@befaqt/domain/api/order-api'
import { HOUR_MS } from '@befaqt/domain/durations'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import type { LightMyRequestResponse } from 'fastify'
import { categories, products } from '#server/db/schema/shop.ts'
import type { BoxesAsOf } from '#server/orders/documents/order-sheets.ts'
import { type Caller, callerOf } from './caller.ts'
import { type TestShop, testShop } from './shop.ts'

export const buyer = { fname: 'Ann', lname: 'Lee', email: 'ann@example.org', phone: '0400 000 000' }
export const address = { street: '1 Bank St', suburb: 'Pyrmont', state: 'NSW', postcode: '2009' }

/** What documents say of boxes where an order comes from none. */
export const withoutBoxes: BoxesAsOf = { boxes: [], at: new Date(), timeZone: 'Australia/Sydney' }

/** A slot of tomorrow that takes `capacity` orders. */
export function slotInput(more: object = {}) {
  const start = Date.now() + 24 * HOUR_MS
  return {
    kind: 'pickup',
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(start + 2 * HOUR_MS).toISOString(),
    cutOffAt: new Date(start - HOUR_MS).toISOString(),
    capacity: 1_000,
    ...more,
  }
}

/** A shop that sells snapper by weight and ice by the bag, with an administrator and a slot for each kind. */
export type OrderShop = TestShop & {
  admin: Caller
  pickup: string
  delivery: string
  newSlot: (more: object) => Promise<string>
  /** Places an order as a guest, with a key of its own unless one is given. */
  place: (order: object, headers?: Record<string, string>) => Promise<LightMyRequestResponse>
  /** The same, which must succeed. */
  placed: (lines: Record<string, number>) => Promise<PlacedOrder>
  stockOf: (id: string) => Promise<number>
}

/** Limits that limit nothing. */
export const unlimited = {
  lineKg: 1_000,
  linePieces: 1_000,
  networkShare: 1,
  firstOrderDollars: 1_000_000,
  firstOrderKg: 1_000,
}

/** @param limited with the limits of orders that a shop has; without, one network may take all in one line */
export async function shopWithOrders(
  options: Parameters<typeof testShop>[0] = {},
  { limited = false } = {},
): Promise<OrderShop> {
  const shop = await testShop(options)
  if (!limited) Object.assign(shop.deps.siteFile.orders, unlimited)
  const { db } = shop.deps
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db.insert(products).values([
    {
      id: 'snapper',
      title: 'Snapper',
      categoryId: 'c',
      priceCents: 3_000,
      unit: 'kg',
      stock: 50,
      origin: 'Australia',
    },
    { id: 'ice', title: 'Ice', categoryId: 'c', priceCents: 500, unit: 'bag', stock: 50, includeGst: true },
  ])
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const newSlot = async (more: object): Promise<string> => {
    const made = await admin('POST', '/api/slot', slotInput(more))
    assert.equal(made.statusCode, 201, made.body)
    return made.json()._id
  }
  const pickup = await newSlot({})
  const delivery = await newSlot({ kind: 'delivery', area: ['2009', '2000'] })
  const place: OrderShop['place'] = (order, headers = {}) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/order',
      headers: { 'idempotency-key': randomUUID(), ...headers },
      payload: { contact: buyer, fulfilment: { kind: 'pickup', slot: pickup }, ...order },
    })
  const placed: OrderShop['placed'] = async (quantities) => {
    const reply = await place({ lines: linesOf(quantities) })
    assert.equal(reply.statusCode, 201, reply.body)
    return reply.json()
  }
  const stockOf = async (id: string): Promise<number> =>
    (await admin('GET', `/api/product/${id}/manage`)).json().stock
  return { ...shop, admin, pickup, delivery, newSlot, place, placed, stockOf }
}

export const linesOf = (quantities: Record<string, number>) =>
  Object.entries(quantities).map(([product_id, quantity]) => ({ product_id, quantity }))

/** Moves an order, which must succeed. */
export async function moved(
  { admin }: OrderShop,
  id: string,
  status: string,
  more: object = {},
): Promise<OrderView> {
  const reply = await admin('PATCH', `/api/order/${id}`, { status, ...more })
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

/** Registers a box of snapper, caught five hours ago and kept at `temperatures` since, from which snapper is sold. */
export async function snapperBox(
  { admin }: OrderShop,
  boxID = 'BOX-1',
  temperatures: readonly number[] = [1, 1, 1, 1],
): Promise<void> {
  const { fisher, catchProv } = sampleBox()
  const timeOf = (i: number): string => new Date(Date.now() - (5 - i) * HOUR_MS).toISOString()
  const readings = temperatures.map((temperature, i) => ({
    ...{ box: boxID, iotID: 'L-1', time: timeOf(i), latitude: -33.8727, longitude: 151.1925, temperature },
  }))
  const { txHash: _, ...caught } = { ...catchProv, species: 'Snapper', time: timeOf(0) }
  for (const [method, url, body] of [
    ['POST', '/api/box/registration', { boxID, fisher }],
    ['POST', `/api/box/${boxID}/catch`, caught],
    ['POST', '/api/tracking', { readings }],
    ['PUT', `/api/box/${boxID}/products`, [{ product_id: 'snapper', quantity: 20 }]],
  ] as const) {
    const reply = await admin(method, url, body)
    assert.ok(reply.statusCode < 300, `${url}: ${reply.body}`)
  }
}
