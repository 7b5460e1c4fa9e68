import { amountOf, measureOf } from '@befaqt/domain/amount'
import type { UsedCoupon } from '@befaqt/domain/coupon'
import { marketTime } from '@befaqt/domain/market-time'
import { cents } from '@befaqt/domain/money'
import { gstGivenBack, type InvoiceTotals, invoiceTotals } from '@befaqt/domain/order-documents'
import { asc, inArray, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { orderLines } from '#server/db/schema/orders.ts'
import type { salesParts } from '#server/db/schema/reports.ts'
import { chargedLines, totalsOfOrder } from '#server/orders/index.ts'

export type Part = typeof salesParts.$inferSelect

/** Of whom nobody is known any more: an erased account, or a guest whose data has had its time. */
export const ERASED = 'erased'
/** Who ordered without an account. */
export const GUEST = 'guest'

type Order = {
  id: string
  startsAt: string
  kind: string
  customer: string
  coupon: UsedCoupon | null
  couponCents: number
  totalCents: number
  deliveryCents: number
  /** What complaints record as given back, and of which lines; none: of the order. */
  promised: { lines: number[]; cents: number }[]
  /** What the card gave back. */
  card: number
}

/**
 * What these orders are in the sums, as they are now: each as a whole, and its lines. It belongs to the market day of its
 * slot, on which it is handed out; cancelled, it is nothing. Weights are those of the scale where it was weighed. What the
 * card gave back and what a complaint says was given back are the same money: the larger counts. GST is that of the invoice.
 */
export async function partsOf(db: Db | Tx, ids: readonly string[], timeZone: string): Promise<Part[]> {
  if (ids.length === 0) return []
  const orders = await rows<Order>(
    db,
    sql`select o.id, to_char(o.slot_starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "startsAt", o.kind,
          coalesce(o.user_id, case when c.order_id is null then ${ERASED} else ${GUEST} end) as customer,
          o.coupon, o.coupon_cents::float8 as "couponCents", o.total_cents::float8 as "totalCents",
          o.delivery_cents::float8 as "deliveryCents",
          coalesce((select jsonb_agg(jsonb_build_object('lines', lines, 'cents', coalesce(promised_cents, 0)) order by id)
            from complaints where order_id = o.id and refunded_at is not null), '[]') as promised,
          coalesce((select sum(refunded_cents) from payments where order_id = o.id), 0)::float8 as card
        from orders o left join order_contacts c on c.order_id = o.id
        where o.id = any(${sql.param([...ids])}::text[]) and o.status <> 'CANCELLED'`,
  )
  const lines = await db
    .select()
    .from(orderLines)
    .where(
      inArray(
        orderLines.orderId,
        orders.map(({ id }) => id),
      ),
    )
    .orderBy(asc(orderLines.position))
  const byOrder = Map.groupBy(lines, ({ orderId }) => orderId)
  return orders.flatMap((order) => partsOfOrder(order, byOrder.get(order.id) ?? [], timeZone))
}

type Line = typeof orderLines.$inferSelect

/** What was given back of an order, and the GST in it: of the lines that a complaint is about, else of the order as a whole. */
function givenBack(
  { promised, card }: Order,
  lines: readonly Pick<Line, 'position'>[],
  sums: ReturnType<typeof chargedLines>,
  whole: InvoiceTotals,
): { refunds: number; gst: number } {
  const said = promised.reduce((sum, { cents }) => sum + cents, 0)
  const refunds = Math.max(said, card)
  if (refunds >= whole.total) return { refunds, gst: whole.gst }
  const all = [...promised, { lines: [], cents: Math.max(0, card - said) }]
  const gst = all.reduce((sum, one) => {
    const of = invoiceTotals(sums.filter((_, i) => one.lines.includes(lines[i]?.position ?? 0)))
    const ofLines = Math.min(one.cents, of.total)
    return sum + gstGivenBack(cents(ofLines), of) + gstGivenBack(cents(one.cents - ofLines), whole)
  }, 0)
  return { refunds, gst: Math.min(gst, whole.gst) }
}

const nothing = { productId: null, customer: null, slot: null, coupon: null }

function partsOfOrder(order: Order, lines: readonly Line[], timeZone: string): Part[] {
  const local = marketTime(Date.parse(order.startsAt), timeZone)
  const day = local.slice(0, 10)
  const sums = chargedLines(lines, order.coupon)
  const ofLines = lines.flatMap((line, i): Part[] => {
    const sum = sums[i]
    if (sum === undefined || line.leftOutReason !== null) return []
    const { orderId, position, productId } = line
    const orders = Number(
      line === lines.find((one) => one.productId === productId && one.leftOutReason === null),
    )
    const money = {
      revenue: sum.total,
      gst: sum.gst,
      discounts: sum.savings,
      coupons: sum.coupon ?? 0,
      refunds: 0,
    }
    return [{ ...nothing, orderId, position, day, productId, orders, ...amountsOf(line), ...money }]
  })
  const all = (name: 'grams' | 'pieces' | 'discounts'): number =>
    ofLines.reduce((sum, part) => sum + part[name], 0)
  const totals = totalsOfOrder(lines, order)
  const back = givenBack(order, lines, sums, totals)
  const whole = {
    ...nothing,
    ...{ orderId: order.id, position: 0, day, orders: 1 },
    customer: order.customer,
    slot: `${order.kind} ${weekdayOf(day)} ${local.slice(11, 16)}`,
    coupon: order.coupon !== null && order.couponCents > 0 ? order.coupon.code : null,
    ...{ grams: all('grams'), pieces: all('pieces'), discounts: all('discounts') },
    ...{ revenue: order.totalCents, gst: totals.gst - back.gst },
    ...{ coupons: order.couponCents, refunds: back.refunds },
  }
  return [whole, ...ofLines]
}

/** Monday is 1. */
const weekdayOf = (day: string): number => ((new Date(day).getUTCDay() + 6) % 7) + 1

const A_DOZEN = 12

function amountsOf({ unit, quantity, finalGrams }: Line): { grams: number; pieces: number } {
  const { value } = amountOf(unit, quantity)
  const measure = measureOf(unit)
  if (measure === 'grams') return { grams: finalGrams ?? value, pieces: 0 }
  return { grams: 0, pieces: measure === 'dozens' ? value * A_DOZEN : value }
}
