import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { linesOf, type OrderShop } from './orders.ts'

/** An order, and how whoever has its link changes it, who saw this version. */
export type Order = { id: string; path: string; query: string; version: number }

/** Places an order, whose page somebody with its link has open. */
export async function ordered(
  shop: OrderShop,
  quantities: Record<string, number>,
  more = {},
): Promise<Order> {
  const reply = await shop.place({ lines: linesOf(quantities), ...more })
  assert.equal(reply.statusCode, 201, reply.body)
  const { _id: id, link } = reply.json()
  return { id, path: `/api/order/${id}`, query: new URL(link).search, version: 1 }
}

/** It as it is now. */
export const seen = async (shop: OrderShop, { path, query }: Order): Promise<OrderView> =>
  (await shop.app.inject(path + query)).json()

/** Changes an order by its link. @param lines how much of them, or that and more, by position */
export const amend = (
  { app }: OrderShop,
  { path, query, version }: Order,
  { lines = {}, ...more }: { lines?: Record<number, number | object>; [name: string]: unknown },
  key = randomUUID(),
) =>
  app.inject({
    method: 'POST',
    url: `${path}/amendment${query}`,
    headers: { 'idempotency-key': key },
    payload: {
      version,
      lines: Object.entries(lines).map(([position, as]) => ({
        position: Number(position),
        ...(typeof as === 'number' ? { quantity: as } : as),
      })),
      ...more,
    },
  })

/** What it is after a change, which must succeed. */
export async function amendedAs(...asked: Parameters<typeof amend>): Promise<OrderView> {
  const reply = await amend(...asked)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

/** The error that a change is refused with. */
export async function refused(...asked: Parameters<typeof amend>) {
  const reply = await amend(...asked)
  assert.ok(reply.statusCode >= 400, reply.body)
  return { ...reply.json().error, status: reply.statusCode }
}
