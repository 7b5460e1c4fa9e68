import type { OrderView } from '@befaqt/domain/api/order-api'
import { type CsvCell, csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { shownTime } from '@befaqt/domain/market-time'
import { desc } from 'drizzle-orm'
import { batched } from '#server/catalogue/products/read-products.ts'
import { type Db, ONE_MOMENT } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { orderView } from '#server/orders/order-views.ts'
import { readWholeOrders } from '#server/orders/read-orders.ts'
import { matchingOrders, type OrderFilter } from './list-orders.ts'

const columns = [
  'number',
  'status',
  'placed',
  'kind',
  'slot',
  'first name',
  'last name',
  'email',
  'phone',
  'address',
  'note',
  'line',
  'product',
  'quantity',
  'unit',
  'ordered grams',
  'net grams',
  'price',
  'discount %',
  'line total',
  'boxes',
  'order total',
] as const

/**
 * Orders as CSV (RFC 4180, UTF-8 with a byte order mark), the newest first, a row for each line. Times are market time. A
 * key for some boxes gets those with lines of them, without contacts.
 */
export async function* exportOrders(
  deps: { db: Db; siteFile: { market: { timeZone: string } } },
  principal: Principal,
  filter: OrderFilter,
): AsyncGenerator<string> {
  const { db, siteFile } = deps
  const { timeZone } = siteFile.market
  const boxes = allowedBoxes(principal)
  const role = boxes === null ? 'shop' : 'boxes'
  yield csvHeader(columns)
  const all = await db
    .select({ id: orders.id })
    .from(orders)
    .where(await matchingOrders(deps, filter, boxes))
    .orderBy(desc(orders.createdAt), desc(orders.id))
  for await (const part of batched(all)) {
    const ids = part.map(({ id }) => id)
    const whole = await db.transaction((tx) => readWholeOrders(tx, ids), ONE_MOMENT)
    yield csvRows(whole.flatMap((one) => rowsOf(orderView(one, role), timeZone)))
  }
}

const timeOf = (at: string | null, timeZone: string): string => {
  const { date, time } = shownTime(at ?? '', timeZone)
  return `${date} ${time}`.trim()
}

const dollars = (amount: number): string => (amount / 100).toFixed(2)

function rowsOf(order: OrderView, timeZone: string): CsvCell[][] {
  const { number, status, createdAt, kind, slot, contact, address, note, lines, totals } = order
  const street = address ? `${address.street}, ${address.suburb} ${address.state} ${address.postcode}` : ''
  const before = [number, status, timeOf(createdAt, timeZone), kind, timeOf(slot.startsAt, slot.timeZone)]
  const { fname = '', lname = '', email = '', phone = '' } = contact ?? {}
  const who = [fname, lname, email, phone, street, note]
  return lines.map((line) => [
    ...before,
    ...who,
    line.position,
    line.title,
    line.quantity,
    line.unit,
    line.orderedGrams,
    line.finalGrams,
    dollars(line.price),
    line.discount,
    dollars(line.total),
    line.boxes.map(({ boxID, amount }) => `${boxID}: ${amount}`).join('; '),
    dollars(totals.total),
  ])
}
