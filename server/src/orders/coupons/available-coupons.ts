import { orderedFor, type UsedCoupon } from '@befaqt/domain/coupon'
import { type SQL, sql } from 'drizzle-orm'
import { lockAllNamed } from '#server/db/advisory-locks.ts'
import { rows, type Tx } from '#server/db/client.ts'
import type { Locks } from '#server/db/lock.ts'
import { chargedLines, type PricedLine } from '../order-totals.ts'
import { type CouponRow, couponRefused } from './coupon-refused.ts'

/** Who uses a coupon: the account, if any, and the email that the order is for. */
export type Customer = { userId: string | null; email: string }

/** A wish to use a coupon. `customer`: null where it is only asked what it would take off. */
export type CouponWish = { id: string; customer: Customer | null }

/** A coupon with its terms for one order. */
export type AppliedCoupon = { id: string; terms: UsedCoupon }

type Facts = { isEarly: boolean; isOver: boolean; used: number }
type Uses = { uses: number; isKnown: boolean }

const isSame = (one: Customer, other: Customer): boolean =>
  (one.userId !== null && one.userId === other.userId) ||
  one.email.toLowerCase() === other.email.toLowerCase()

/**
 * Coupons as several shoppers may use them, one after the other: `take` counts what one of them used. An order that is
 * cancelled and one that waited and was dropped or lapsed are not counted, which is how uses come back.
 */
export class AvailableCoupons {
  readonly #coupons: ReadonlyMap<string, CouponRow>
  readonly #facts: ReadonlyMap<string, Facts>
  readonly #uses: ReadonlyMap<string, Uses>
  readonly #timeZone: string
  readonly #taken: { id: string | null; customer: Customer }[] = []

  private constructor(
    coupons: ReadonlyMap<string, CouponRow>,
    facts: ReadonlyMap<string, Facts>,
    uses: ReadonlyMap<string, Uses>,
    timeZone: string,
  ) {
    this.#coupons = coupons
    this.#facts = facts
    this.#uses = uses
    this.#timeZone = timeZone
  }

  /**
   * Locks what is asked for until the transaction ends: who asks, since a first order is one whatever the coupon, then
   * the coupons.
   */
  static async lock(
    locks: Locks<'coupons'>,
    wishes: readonly CouponWish[],
    timeZone: string,
  ): Promise<AvailableCoupons> {
    if (wishes.length === 0) return new AvailableCoupons(new Map(), new Map(), new Map(), timeZone)
    const emails = wishes.flatMap(({ customer }) => customer?.email.toLowerCase() ?? [])
    await lockAllNamed(locks.tx, 'customer', emails)
    // Not against a row that refers to one: a waiting order becomes one meanwhile, and holds what comes next, the numbers.
    const [coupons] = await locks.coupons(
      wishes.map(({ id }) => id),
      'no key update',
    )
    return AvailableCoupons.read(locks.tx, coupons, wishes, timeZone)
  }

  /** @param coupons rows, locked where something is to be taken */
  static async read(
    tx: Tx,
    coupons: ReadonlyMap<string, CouponRow>,
    wishes: readonly CouponWish[],
    timeZone: string,
  ): Promise<AvailableCoupons> {
    const facts = await readFacts(tx, [...coupons.keys()])
    const asked = wishes.flatMap(({ id, customer }) => {
      const coupon = coupons.get(id)
      return customer && coupon && (coupon.firstOrder || coupon.usesEach !== null) ? [{ id, customer }] : []
    })
    return new AvailableCoupons(coupons, facts, await readUses(tx, asked), timeZone)
  }

  /**
   * What a coupon takes off these lines.
   * @param lines with the categories of their products
   * @throws ShopError `coupon.refused`, details `{ reason }`
   */
  check(
    { id, customer }: CouponWish,
    lines: readonly (PricedLine & { categoryId: string })[],
  ): AppliedCoupon {
    const coupon = this.#coupons.get(id)
    const facts = this.#facts.get(id)
    if (coupon === undefined || facts === undefined) throw couponRefused.unknown()
    if (facts.isOver) throw couponRefused.over()
    if (facts.isEarly) throw couponRefused.early(coupon, this.#timeZone)
    const taken = this.#taken.filter((one) => one.id === id).length
    if (coupon.uses !== null && facts.used + taken >= coupon.uses) throw couponRefused.usedUp()
    if (customer !== null) this.#checkCustomer(coupon, customer)
    const terms = termsFor(coupon, lines)
    if (terms.products?.length === 0) throw couponRefused.goods()
    const ordered = orderedFor(terms, chargedLines(lines, null))
    if (ordered < terms.minimum) throw couponRefused.minimum(coupon, terms.products !== null, ordered)
    return { id, terms }
  }

  #checkCustomer(coupon: CouponRow, customer: Customer): void {
    const { id, firstOrder, usesEach } = coupon
    const before = this.#uses.get(keyOf(id, customer))
    const now = this.#taken.filter((one) => isSame(one.customer, customer))
    if (firstOrder && (before?.isKnown || now.length > 0)) throw couponRefused.first()
    const uses = (before?.uses ?? 0) + now.filter((one) => one.id === id).length
    if (usesEach !== null && uses >= usesEach) throw couponRefused.yours(coupon)
  }

  /** Counts an order. @param coupon null: it has none, and is its buyer's first all the same */
  take(coupon: AppliedCoupon | null, customer: Customer): void {
    this.#taken.push({ id: coupon?.id ?? null, customer })
  }
}

/** The terms of a coupon for an order: they name once what of it the coupon is for. */
function termsFor(
  coupon: CouponRow,
  lines: readonly { productId: string; categoryId: string }[],
): UsedCoupon {
  const { code, percent, amountCents: amount, minimumCents: minimum, products, categories } = coupon
  const isFor = ({ productId, categoryId }: (typeof lines)[number]): boolean =>
    (products?.includes(productId) ?? true) && (categories?.includes(categoryId) ?? true)
  const isLimited = products !== null || categories !== null
  return {
    code,
    percent,
    amount,
    minimum,
    products: isLimited ? [...new Set(lines.filter(isFor).map(({ productId }) => productId))] : null,
  }
}

/**
 * SQL: does a waiting order `w` still count? For a minute longer than it waits, so that one that is being confirmed as it
 * ends is counted all the time.
 */
export const stillWaits = sql`(w.status = 'WAITING' and w.ends_at > clock_timestamp() - interval '1 minute')`

async function readFacts(tx: Tx, ids: readonly string[]): Promise<Map<string, Facts>> {
  if (ids.length === 0) return new Map()
  const found = await rows<Facts & { id: string }>(
    tx,
    sql`select c.id, coalesce(c.starts_at > clock_timestamp(), false) as "isEarly",
          (c.ended_at is not null or coalesce(c.ends_at <= clock_timestamp(), false)) as "isOver",
          case when c.uses is null then 0 else
            (select count(*) from orders o where o.coupon_id = c.id and o.status <> 'CANCELLED')
            + (select count(*) from waiting_orders w where w.coupon_id = c.id and ${stillWaits}) end::int as used
        from coupons c where c.id = any(${sql.param([...ids])}::text[])`,
  )
  return new Map(found.map(({ id, ...facts }) => [id, facts]))
}

const keyOf = (id: string, { userId, email }: Customer): string => JSON.stringify([id, userId, email])

/** How often these customers used these coupons, and whether they ordered anything before. */
async function readUses(
  tx: Tx,
  asked: readonly { id: string; customer: Customer }[],
): Promise<Map<string, Uses>> {
  if (asked.length === 0) return new Map()
  const column = (values: readonly string[]): SQL => sql`${sql.param([...values])}::text[]`
  const ofCustomer = sql`(
    select o.id, o.coupon_id from orders o where o.user_id = a.user_id and o.status <> 'CANCELLED'
    union select o.id, o.coupon_id from order_contacts c join orders o on o.id = c.order_id
      where lower(c.email) = lower(a.email) and o.status <> 'CANCELLED'
    union select w.id, w.coupon_id from waiting_orders w
      where (w.user_id = a.user_id or lower(w.contact->>'email') = lower(a.email)) and ${stillWaits})`
  const found = await rows<Uses & { n: number }>(
    tx,
    sql`select a.n::int as n, t.uses::int as uses, t.known > 0 as "isKnown"
        from unnest(${column(asked.map(({ id }) => id))}, ${column(asked.map(({ customer }) => customer.userId ?? ''))},
          ${column(asked.map(({ customer }) => customer.email))}) with ordinality a(coupon, user_id, email, n)
        cross join lateral (select count(*) as known, count(*) filter (where u.coupon_id = a.coupon) as uses
          from ${ofCustomer} u) t`,
  )
  return new Map(
    found.flatMap(({ n, ...uses }) => {
      const one = asked[n - 1]
      return one === undefined ? [] : [[keyOf(one.id, one.customer), uses] as const]
    }),
  )
}
