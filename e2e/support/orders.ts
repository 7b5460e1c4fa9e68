import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Server } from './server.ts'

type Product = { _id: string; title: string }
type Slot = { _id: string; startsAt: string; timeZone: string; left: number }
type Placed = { _id: string; number: string; slot: Slot }

/** The buyer of orders that tests place. */
export const buyer = { fname: 'Ann', lname: 'Lee', email: 'ann@example.org', phone: '0400 000 000' }

async function readJson<Answer>(server: Server, path: string): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`)
  assert.equal(response.status, 200, path)
  return (await response.json()) as Answer
}

/** The product with this title, as shoppers see it. */
export async function productCalled(server: Server, title: string): Promise<Product> {
  const found = (await readJson<Product[]>(server, '/api/product/active')).find(
    (product) => product.title === title,
  )
  assert.ok(found, title)
  return found
}

/** Open slots for pick-up. */
export const pickupSlots = (server: Server): Promise<Slot[]> => readJson(server, '/api/slot?kind=pickup')

/** Orders some of a product as a guest, for pick-up at the first time that is open. */
export async function placeOrder(server: Server, title: string, quantity: number): Promise<Placed> {
  const { _id } = await productCalled(server, title)
  const [slot] = await pickupSlots(server)
  const response = await fetch(`${server.url}/api/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      lines: [{ product_id: _id, quantity }],
      contact: buyer,
      fulfilment: { kind: 'pickup', slot: slot?._id },
    }),
  })
  const text = await response.text()
  assert.equal(response.status, 201, text)
  return JSON.parse(text) as Placed
}
