import assert from 'node:assert/strict'
import type { ManagedCoupon } from '@befaqt/domain/api/coupon-api'
import { buyer, linesOf, type OrderShop } from './orders.ts'

/** Creates a coupon, which must succeed. */
export async function made(shop: OrderShop, code: string, more: object): Promise<ManagedCoupon> {
  const reply = await shop.admin('POST', '/api/coupon', { code, ...more })
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json()
}

/** A coupon as managers see it. */
export const coupon = async ({ admin }: OrderShop, code: string): Promise<ManagedCoupon | undefined> =>
  (await admin('GET', '/api/coupon')).json().find((one: ManagedCoupon) => one.code === code)

/** Somebody else for each name. */
export const contact = (name: string) => ({ ...buyer, email: `${name}@example.org` })

/** Places an order with a coupon as a guest. */
export const order = (shop: OrderShop, code: string, quantities: Record<string, number>, more: object = {}) =>
  shop.place({ lines: linesOf(quantities), coupon: code, ...more })

/** The same, which must succeed. */
export async function ordered(...asked: Parameters<typeof order>) {
  const reply = await order(...asked)
  assert.equal(reply.statusCode, 201, reply.body)
  const placed = reply.json()
  const { search } = new URL(placed.link)
  return { ...placed, path: `/api/order/${placed._id}`, query: search }
}

/** Why an order with a coupon is refused. */
export async function refusal(...asked: Parameters<typeof order>): Promise<string> {
  const reply = await order(...asked)
  const { error } = reply.json()
  assert.deepEqual(
    [reply.statusCode, error?.code, error?.fields?.[0]?.path],
    [409, 'coupon.refused', 'coupon'],
  )
  return error.reason
}

/** Asks as a guest what a code takes off. */
export const check = ({ app }: OrderShop, code: string, quantities: Record<string, number>) =>
  app.inject({ method: 'POST', url: '/api/coupon/check', payload: { code, lines: linesOf(quantities) } })
