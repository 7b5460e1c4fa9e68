import { type OrderState, orderMove } from '@befaqt/domain/order-states'
import { captureAmount, type PaymentState } from '@befaqt/domain/payment'
import { plus } from '@befaqt/domain/quantity'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { goods, productIds } from './beginning.ts'
import type { Letter, LetterKind } from './letters.ts'
import type { Model } from './model.ts'
import { addresses } from './people.ts'
import { type Storm, Violation } from './storm.ts'
import { couponUses, orderSums, promises } from './sums.ts'
import type { World } from './world.ts'

/** What must hold after every step, whatever is under way. */
type Invariant = (world: World, model: Model) => Promise<string | null>

/** Units of a product that were written off, since they came from a recalled box: they are neither sold nor in stock. */
const WRITTEN_OFF = sql`
  select l.product_id, sum(least(l.quantity, lost.amount / case when l.is_weighed then 1000.0 else 1 end)) as units
  from (select product_id, happened_at, sum(amount) as amount from box_losses
        where reason like 'Recalled: %' group by product_id, happened_at) lost
  join (select distinct order_id, happened_at from order_events) e on e.happened_at = lost.happened_at
  join (select order_id, product_id, sum(quantity) as quantity, bool_or(ordered_grams is not null) as is_weighed
        from order_lines group by order_id, product_id) l
    on l.order_id = e.order_id and l.product_id = lost.product_id
  group by l.product_id`

const stock: Invariant = async ({ db }, { put, lowered }) => {
  const found = await rows<{ id: string; stock: number; held: number; sold: number; off: number }>(
    db,
    sql`select p.id, p.stock::float8 as stock, coalesce(h.units, 0)::float8 as held,
          coalesce(s.units, 0)::float8 as sold, coalesce(w.units, 0)::float8 as off
        from products p
        left join (select product_id, sum(quantity) as units from hold_lines l join holds h on h.id = l.hold_id
          where h.expires_at > clock_timestamp() group by product_id) h on h.product_id = p.id
        left join (select product_id, sum(quantity) as units from order_lines l join orders o on o.id = l.order_id
          where o.status <> 'CANCELLED' and l.left_out_reason is null group by product_id) s on s.product_id = p.id
        left join (${WRITTEN_OFF}) w on w.product_id = p.id`,
  )
  for (const product of productIds) {
    const row = found.find(({ id }) => id === product)
    if (row === undefined) return `${product} is gone`
    if (row.stock >= row.held) lowered.delete(product)
    if (row.stock < 0 || (row.stock < row.held && !lowered.has(product)))
      return `${product}: ${row.stock} in stock, of which ${row.held} are held`
    if (plus(plus(row.stock, row.sold), row.off) !== put[product])
      return `${product}: ${row.stock} in stock, ${row.sold} sold and ${row.off} written off of ${put[product]}`
  }
  return null
}

const mass: Invariant = async ({ db }) => {
  const found = await rows<{ box: string; product: string; all: number; sold: number; lost: number }>(
    db,
    sql`select pb.box_id as box, pb.product_id as product, pb.quantity::float8 as all,
          (select coalesce(sum(b.amount), 0) from order_line_boxes b
            join order_lines l on l.order_id = b.order_id and l.position = b.position
            where b.box_id = pb.box_id and l.product_id = pb.product_id)::int as sold,
          (select coalesce(sum(t.amount), 0) from box_losses t
            where t.box_id = pb.box_id and t.product_id = pb.product_id)::int as lost
        from product_boxes pb order by 1, 2`,
  )
  for (const { box, product, all, sold, lost } of found) {
    const unit = goods[product as keyof typeof goods].unit
    const left = all * (unit === 'kg' ? 1_000 : 1) - sold - lost
    if (left < 0) return `${box} gave ${-left} more of ${product} than it held`
  }
  const [kept] = await rows<{ id: string }>(
    db,
    sql`select o.id from order_line_boxes b join orders o on o.id = b.order_id
        join order_lines l on l.order_id = b.order_id and l.position = b.position
        where o.status = 'CANCELLED' or l.left_out_reason is not null limit 1`,
  )
  return kept === undefined ? null : `what is cancelled or left out still has a box: order ${kept.id}`
}

type Paid = {
  id: string
  order_id: string
  state: PaymentState
  amount: number
  captured: number
  refunded: number
  url: string | null
  status: OrderState | null
  total: number | null
}

export const paymentsOf = ({ db }: Pick<World, 'db'>): Promise<Paid[]> =>
  rows<Paid>(
    db,
    sql`select p.id, p.order_id, p.state, p.amount_cents::float8 as amount, p.captured_cents::float8 as captured,
          p.refunded_cents::float8 as refunded, p.url, o.status, o.total_cents::float8 as total
        from payments p left join orders o on o.id = p.order_id order by p.created_at, p.id`,
  )

const money: Invariant = async (world) => {
  for (const paid of await paymentsOf(world)) {
    const { id, state, amount, captured, refunded, url, total } = paid
    const said = `payment ${id}, ${state}: ${captured} captured and ${refunded} refunded of ${amount}`
    const wasCaptured = state === 'CAPTURED' || state === 'REFUNDED'
    if (wasCaptured !== captured > 0) return said
    if (total !== null && wasCaptured && captured !== captureAmount(total, amount))
      return `${said}, for an order of ${total}`
    if (refunded > captured || (state === 'REFUNDED') !== (captured > 0 && refunded === captured)) return said
    const held = url === null ? null : world.stripe.held(url)
    if (captured > (held?.received ?? 0) || refunded > (held?.refunded ?? 0))
      return `${said}; the provider says ${held?.received ?? 0} and ${held?.refunded ?? 0}`
  }
  return null
}

const numbers: Invariant = async ({ db }) => {
  const found = await rows<{ number: string; invoice: string | null; packed: boolean }>(
    db,
    sql`select o.number, o.invoice_number as invoice,
          exists (select from order_events e where e.order_id = o.id and e.status = 'PACKED') as packed
        from orders o order by o.number`,
  )
  const invoices = found.flatMap(({ invoice }) => invoice ?? [])
  for (const all of [found.map(({ number }) => number), invoices.sort()])
    for (const [i, number] of all.entries())
      if (Number(number.split('-').at(-1)) !== i + 1) return `${number} is the ${i + 1}th`
  const odd = found.find(({ invoice, packed }) => (invoice !== null) !== packed)
  return odd === undefined ? null : `${odd.number} has ${odd.invoice ?? 'no invoice'}, packed: ${odd.packed}`
}

const lives: Invariant = async ({ db }) => {
  const found = await rows<{ id: string; status: OrderState; states: OrderState[] }>(
    db,
    sql`select o.id, o.status, (select jsonb_agg(e.status order by e.id) from order_events e where e.order_id = o.id) as states
        from orders o`,
  )
  for (const { id, status, states } of found) {
    const way = states.filter((state, i) => state !== states[i - 1])
    const isWay = way.every((state, i) => i === 0 || orderMove(way[i - 1] ?? state, state) !== undefined)
    if (!isWay || way[0] !== 'PLACED' || way.at(-1) !== status)
      return `order ${id} is ${status} and went ${way.join(', ')}`
  }
  return null
}

const capacity: Invariant = async ({ db }) => {
  const [full] = await rows<{ id: string; taken: number; capacity: number }>(
    db,
    sql`select id, taken, capacity from (
          select s.id, s.capacity,
            (select count(*) from orders o where o.slot_id = s.id and o.status <> 'CANCELLED')::int
            + (select count(*) from holds h where h.slot_id = s.id and h.expires_at > clock_timestamp())::int as taken
          from slots s) t where taken > capacity`,
  )
  return full === undefined ? null : `${full.id} takes ${full.capacity} and has ${full.taken}`
}

/** Emails that come once for an order at most. */
const once: readonly LetterKind[] = ['placed', 'ready', 'sent', 'cancelled']
/** Emails that say of an order what a cancellation ends. */
const beforeEnd: readonly LetterKind[] = ['placed', 'changed', 'left-out', 'moved', 'ready', 'sent', 'unpaid']

/** Once each: an email that was being sent when its process was killed comes again, under the same Message-ID. */
export const distinct = async (world: World): Promise<readonly Letter[]> => {
  const all = await world.letters()
  return world.wasKilled ? [...new Map(all.map((letter) => [letter.id, letter])).values()] : all
}

const emails: Invariant = async (world) => {
  const byOrder = Map.groupBy(await distinct(world), ({ number }) => number)
  byOrder.delete(null)
  const found = await rows<{ box: string; n: number }>(
    world.db,
    sql`select box_id as box, count(*)::int as n from recalls group by box_id`,
  )
  const recalls = new Map(found.map(({ box, n }) => [box, n]))
  for (const [number, letters] of byOrder) {
    for (const kind of once) {
      const count = letters.filter((letter) => letter.kind === kind).length
      if (count > 1) return `${number}: ${kind}, ${count} times`
    }
    const ended = letters.findIndex(({ kind }) => kind === 'cancelled')
    const late =
      ended < 0 ? undefined : letters.slice(ended).find(({ kind }) => kind && beforeEnd.includes(kind))
    if (late !== undefined) return `${number}: ${late.kind} after cancelled`
    for (const [box, told] of recallsTold(letters)) {
      const count = (kind: LetterKind) => told.filter((one) => one === kind).length
      const isOdd = told.some((kind, i) => kind === 'withdrawn' && told[i - 1] !== 'recalled')
      if (isOdd || count('recalled') > (recalls.get(box) ?? 0) + count('withdrawn'))
        return `${number}, box ${box}, recalled ${recalls.get(box) ?? 0} times: ${told.join(', ')}`
    }
  }
  return null
}

/** What the emails of one order said of recalls, by the box that they name, in that order. */
export function recallsTold(letters: readonly Letter[]): Map<string, LetterKind[]> {
  const told = new Map<string, LetterKind[]>()
  for (const { kind, text } of letters) {
    if (kind !== 'recalled' && kind !== 'withdrawn') continue
    const box = /\/SFMBox\/byId\/([\w-]+)/.exec(text)?.[1] ?? ''
    told.set(box, [...(told.get(box) ?? []), kind])
  }
  return told
}

/** Who waits for a product is told once. */
const news: Invariant = async (world, { wishes }) => {
  const told = (await distinct(world)).filter(({ kind }) => kind === 'back')
  for (const [to, letters] of Map.groupBy(told, (letter) => letter.to))
    if (letters.length > wishes.filter(({ email, state }) => email === to && state !== 'asked').length)
      return `${to}: ${letters.map(({ subject }) => subject).join(', ')}`
  return null
}

/** What follows from events goes on, and never before where it was; the log of anchors only grows. */
const goesOn: Invariant = async ({ db }, { cursors, logged }) => {
  const found = await rows<{ name: string; last: number; newest: number }>(
    db,
    sql`select c.name, c.last::float8 as last, n.last::float8 as newest from event_consumers c, event_numbers n`,
  )
  for (const { name, last, newest } of found) {
    if (last > newest || last < (cursors.get(name) ?? 0)) return `${name} is at ${last} of ${newest}`
    cursors.set(name, last)
  }
  const entries = await rows<{ entry: string }>(db, sql`select entry from log_entries order by index`)
  const changed = logged.findIndex((entry, i) => entries[i]?.entry !== entry)
  if (changed >= 0) return `entry ${changed} of the log was ${logged[changed]}`
  logged.push(...entries.slice(logged.length).map(({ entry }) => entry))
  return null
}

const faultless: Invariant = async (world) => world.faults()[0] ?? null

/** By the names with which a violation begins. */
export const invariants = {
  'stock is what was put in, less what was sold': stock,
  'a box gives no more than it held': mass,
  'what was charged and refunded is what orders say': money,
  'an order costs what its goods, coupon and delivery come to': orderSums,
  'a coupon is used no more often than it may be': couponUses,
  'no more is promised than an order cost': promises,
  'numbers of orders and invoices run without gap or double': numbers,
  'an order goes from state to state as it may': lives,
  'a time takes no more orders than it has room for': capacity,
  'an email comes once, and not after its reverse': emails,
  'who waits for a product is told once': news,
  'what follows from events goes on, and the log grows': goesOn,
  'an account prefers one of ten addresses': addresses,
  'no process logs an error or ends by itself': faultless,
} satisfies Record<string, Invariant>

/** Looks at all of them. @throws Violation */
export async function checkInvariants({ world }: Storm, model: Model): Promise<void> {
  for (const [name, holds] of Object.entries(invariants)) {
    const why = await holds(world, model)
    if (why !== null) throw new Violation(name, why)
  }
}
