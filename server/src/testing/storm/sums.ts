import type { OrderView } from '@befaqt/domain/api/order-api'
import type { UsedCoupon } from '@befaqt/domain/coupon'
import type { DeliveryTerms } from '@befaqt/domain/order-totals'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import type { Model } from './model.ts'
import type { Storm } from './storm.ts'
import type { World } from './world.ts'

// Sums of orders, computed anew from their rows and without the shop’s own functions, which would repeat their faults.

type Line = {
  product: string
  price: number
  discount: number
  quantity: number
  grams: number | null
  out: boolean
}

type Sums = {
  number: string
  status: string
  total: number
  agreed: number
  tolerance: number
  off: number
  coupon: UsedCoupon | null
  fee: number
  delivery: DeliveryTerms | null
  lines: Line[]
}

/** `amount` × `part` / `whole`, half up to a cent. */
const share = (amount: number, part: number, whole: number): number =>
  Math.floor((2 * amount * part + whole) / (2 * whole))

const lessDiscount = (amount: number, discount: number): number => share(amount, 100 - discount, 100)

const ordered = ({ price, quantity, discount }: Line): number =>
  lessDiscount(share(price, Math.round(quantity * 1_000), 1_000), discount)

/** Only what is sold by the kg is weighed here. */
const charged = (line: Line): number => {
  if (line.out) return 0
  return line.grams === null
    ? ordered(line)
    : lessDiscount(share(line.price, line.grams, 1_000), line.discount)
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0)

function couponOff(coupon: UsedCoupon | null, lines: readonly Line[]): number {
  if (coupon === null) return 0
  const of = lines.filter(({ product }) => coupon.products?.includes(product) ?? true)
  if (sum(of.map(ordered)) < coupon.minimum) return 0
  const all = sum(of.map(charged))
  return coupon.percent === null ? Math.min(coupon.amount ?? 0, all) : all - lessDiscount(all, coupon.percent)
}

/** Is what an order costs what its lines, its coupon and its delivery come to? */
export async function orderSums({ db }: World): Promise<string | null> {
  const found = await rows<Sums>(
    db,
    sql`select o.number, o.status, o.total_cents::float8 as total, o.agreed_cents::float8 as agreed,
          o.tolerance_percent as tolerance, o.coupon_cents::float8 as off, o.coupon, o.delivery_cents::float8 as fee, o.delivery,
          (select jsonb_agg(jsonb_build_object('product', l.product_id, 'price', l.price_cents, 'discount', l.discount,
            'quantity', l.quantity, 'grams', l.final_grams, 'out', l.left_out_reason is not null))
            from order_lines l where l.order_id = o.id) as lines
        from orders o`,
  )
  for (const { number, status, total, agreed, tolerance, off, coupon, fee, delivery, lines } of found) {
    const isOff = couponOff(coupon, lines)
    const goods = sum(lines.map(ordered))
    const isFree = delivery === null || (delivery.freeFrom !== null && goods >= delivery.freeFrom)
    const comes = { total: sum(lines.map(charged)) - isOff + fee, off: isOff, fee: isFree ? 0 : delivery.fee }
    if (comes.total !== total || comes.off !== off || comes.fee !== fee)
      return `${number} says ${JSON.stringify({ total, off, fee })} and comes to ${JSON.stringify(comes)}: ${JSON.stringify(lines)}`
    const most = Math.floor((agreed * (100 + tolerance)) / 100)
    if (status !== 'PLACED' && status !== 'CANCELLED' && total > most)
      return `${number} was packed for ${total}, of which ${agreed} are agreed on`
  }
  return null
}

type Use = { code: string; uses: number | null; each: number | null; first: boolean; who: string[] | null }

/** Is no coupon used more often than it may be, in all, by one customer, and for first orders? */
export async function couponUses({ db }: World): Promise<string | null> {
  const found = await rows<Use>(
    db,
    sql`select c.code, c.uses, c.uses_each as each, c.first_order as first, (
          select jsonb_agg(u.who) from (
            select lower(k.email) as who, o.coupon_id from orders o join order_contacts k on k.order_id = o.id
              where o.status <> 'CANCELLED'
            union all select lower(w.contact->>'email'), w.coupon_id from waiting_orders w
              where w.status = 'WAITING' and w.ends_at > clock_timestamp()) u where u.coupon_id = c.id) as who
        from coupons c`,
  )
  for (const { code, uses, each, first, who } of found) {
    const used = who ?? []
    if (uses !== null && used.length > uses)
      return `${code} may be used ${uses} times, and is in ${used.length} orders`
    const most = Math.min(each ?? used.length, first ? 1 : used.length)
    for (const [name, times] of Map.groupBy(used, (one) => one))
      if (times.length > most) return `${code}: ${name} used it ${times.length} times of ${most}`
  }
  return null
}

/** Is no more promised for an order than it cost, and given back only what was promised? */
export async function promises({ db }: World): Promise<string | null> {
  const found = await rows<{
    number: string
    total: number
    promised: number
    odd: boolean
    current: number
  }>(
    db,
    sql`select o.number, o.total_cents::float8 as total, sum(coalesce(c.promised_cents, 0))::float8 as promised,
          bool_or(c.refunded_at is not null and coalesce(c.promised_cents, 0) = 0) as odd,
          count(*) filter (where c.status in ('OPEN', 'ANSWERED'))::int as current
        from complaints c join orders o on o.id = c.order_id group by o.id`,
  )
  for (const { number, total, promised, odd, current } of found) {
    if (promised > total) return `${number} cost ${total}, of which ${promised} are promised`
    if (odd) return `${number}: given back without a promise`
    if (current > 1) return `${number} has ${current} complaints at a time`
  }
  return null
}

const eleventh = (amount: number): number => share(amount, 1, 11)

/** Does what buyers read of an order add up, with the GST of each line and its share of a coupon? */
export async function shownSums(_: World, { orders, looked }: Model, storm: Storm): Promise<string | null> {
  for (const { id } of orders) {
    const answer = await storm.ask('GET', `/api/order/${id}`, { as: 'manager' })
    if (answer.statusCode !== 200) continue
    const view = answer.json<OrderView>()
    if (view.version === undefined || looked.get(id) === view.version) continue // WAITING has none
    looked.set(id, view.version)
    const why = oddSums(view)
    if (why !== null) return `${view.number}: ${why} (${JSON.stringify(view.totals)})`
  }
  return null
}

function oddSums({ lines, totals, coupon }: OrderView): string | null {
  const { delivery, total, gst, taxable, free, savings, subtotal } = totals
  const all = sum(lines.map((line) => line.total))
  const off = sum(lines.map((line) => line.coupon ?? 0))
  if (all + delivery !== total) return `lines come to ${all}`
  if (off !== (totals.coupon ?? 0)) return `shares of the coupon come to ${off}`
  if (subtotal - savings - off + delivery !== total) return 'savings and coupon do not lead to the total'
  for (const line of lines) {
    const before = line.subtotal - line.savings
    const part = line.coupon ?? 0
    if (line.total !== before - part || part < 0 || line.total < 0)
      return `line ${line.position} is ${line.total}`
    if (line.gst !== (line.includeGST ? eleventh(line.total) : 0))
      return `line ${line.position}: GST ${line.gst}`
  }
  if (gst !== sum(lines.map((line) => line.gst)) + eleventh(delivery)) return 'GST is not that of its lines'
  const ofGst = sum(lines.filter(({ includeGST }) => includeGST).map((line) => line.total))
  if (taxable !== ofGst + delivery || free !== all - ofGst) return 'taxable and free do not add up'
  const applies = lines.filter(({ product_id }) => coupon?.products?.includes(product_id) ?? true)
  const sums = applies.map((line) => line.subtotal - line.savings)
  const odd = applies.findIndex((line, i) => {
    const exact = sum(sums) === 0 ? 0 : (off * (sums[i] ?? 0)) / sum(sums)
    return Math.abs((line.coupon ?? 0) - exact) >= 1
  })
  return odd < 0 ? null : `line ${applies[odd]?.position} has an odd share of the coupon`
}
