import assert from 'node:assert/strict'
import type { SalesBy, SalesReport } from '@befaqt/domain/api/desk-api'
import { marketDate } from '@befaqt/domain/market-time'
import { daysLater } from '@befaqt/domain/slot-rules'
import { coupons } from '#server/db/schema/coupons.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { diffSales } from '#server/reports/sales-audit.ts'
import type { Caller } from './caller.ts'
import { type OrderShop, shopWithOrders } from './orders.ts'

export const SALES_URL = '/api/manage/report/sales'
const today = (): string => marketDate(Date.now(), 'Australia/Sydney')
/** A range that has all of the test's slots, which are near today. */
export const around = () => ({ from: daysLater(today(), -20), to: daysLater(today(), 20) })

/** A report, as a person at the desk reads it. */
export async function report(
  ask: Caller,
  by: SalesBy = 'day',
  range: object = around(),
): Promise<SalesReport> {
  const reply = await ask('GET', `${SALES_URL}?${new URLSearchParams({ by, ...range })}`)
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.json()
}

/** How sums are otherwise than a scan of the orders. */
export async function differences(shop: OrderShop): Promise<string[]> {
  const found: string[] = []
  for await (const one of diffSales(shop.deps)) found.push(one)
  return found
}

/** It also sells oysters by the dozen, with a discount, has plenty of all, and a coupon. */
export async function shopOfReports(options: Parameters<typeof shopWithOrders>[0] = {}): Promise<OrderShop> {
  const shop = await shopWithOrders(options)
  const { db } = shop.deps
  await db.insert(categories).values({ id: 'd', title: 'Oysters', titleKey: 'oysters', shelfPos: '2' })
  await db.insert(products).values({
    id: 'oysters',
    title: 'Oysters',
    categoryId: 'd',
    priceCents: 2_400,
    unit: 'dozen',
    stock: 500,
    discount: 15,
  })
  await db.update(products).set({ stock: 5_000 })
  await db
    .insert(coupons)
    .values({ id: 'x', code: 'FISH10', percent: 10, minimumCents: 0, firstOrder: false })
  return shop
}
