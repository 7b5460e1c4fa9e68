import type { OrderView } from '@befaqt/domain/api/order-api'
import { type CsvCell, csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { shownTime } from '@befaqt/domain/market-time'
import { and, type SQL, sql } from 'drizzle-orm'
import { batched } from '#server/catalogue/index.ts'
import { type Db, ONE_MOMENT, rows } from '#server/db/client.ts'
import { keysetPage } from '#server/db/keyset.ts'
import { orders } from '#server/db/schema/orders.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { orderView } from '../order-views.ts'
import { newestFirst, readWholeOrders } from '../read-orders.ts'
import { chosenOrders, type ListDeps, type OrderFilter } from './list-orders.ts'

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
  'coupon',
  'coupon off line',
  'preparation',
  'preparation price',
  'delivery fee',
] as const

/**
 * Orders as CSV (RFC 4180, UTF-8 with a byte order mark), the newest first, a row for each line. Times are market time. A
 * key for some boxes gets those with lines of them, without contacts.
 */
export async function* exportOrders(
  deps: ListDeps,
  principal: Principal,
  filter: OrderFilter,
): AsyncGenerator<string> {
  const { db, siteFile } = deps
  const { timeZone } = siteFile.market
  const boxes = allowedBoxes(principal)
  const role = boxes === null ? 'shop' : 'boxes'
  yield csvHeader(columns)
  const { where, isFew } = await chosenOrders(deps, filter, boxes)
  for await (const ids of isFew ? fewIds(db, where) : walkedIds(db, where)) {
    const whole = await db.transaction((tx) => readWholeOrders(tx, ids), ONE_MOMENT)
    yield csvRows(whole.flatMap((one) => rowsOf(orderView(one, role), timeZone)))
  }
}

/** Ids of orders that an index finds, in parts. They are sorted afterwards, lest all orders are walked in that order. */
async function* fewIds(db: Db, where: SQL | undefined): AsyncGenerator<readonly string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from (select id, created_at from ${orders} where ${where} offset 0) o
        order by created_at desc, id desc`,
  )
  yield* batched(found.map(({ id }) => id))
}

/** Orders of a part: the first is sent as soon as so many were met. */
const PART = 200

/** Ids of orders in parts, each looked for when the one before was sent. */
async function* walkedIds(db: Db, where: SQL | undefined): AsyncGenerator<readonly string[]> {
  for (let after: string | null | undefined; after !== null; ) {
    const part = await keysetPage(
      { size: PART, ...(after && { after }) },
      { keys: newestFirst, of: ['orders of a file', {}] },
      ({ where: beyond, order, limit, at }) =>
        db
          .select({ id: orders.id, at })
          .from(orders)
          .where(and(where, beyond))
          .orderBy(...order)
          .limit(limit),
      async () => ({ total: 0, atLeast: true }),
    )
    yield part.rows.map(({ id }) => id)
    after = part.next ?? null
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
    order.coupon?.code ?? '',
    order.coupon ? dollars(line.coupon ?? 0) : '',
    line.preparation?.kind ?? '',
    line.preparation ? dollars(line.preparation.feeCents) : '',
    dollars(totals.delivery),
  ])
}
