import { randomUUID } from 'node:crypto'
import type { ManagedCoupon } from '@befaqt/domain/api/coupon-api'
import type { CouponInput, CouponPatch } from '@befaqt/domain/coupon-input'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_COUPONS } from '@befaqt/domain/limits'
import { desc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { type Db, ONE_MOMENT, rows, type Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { coupons } from '#server/db/schema/coupons.ts'
import { orders } from '#server/db/schema/orders.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'
import { timeText } from '#server/db/stored-values.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import { stillWaits } from './available-coupons.ts'
import type { CouponRow } from './coupon-refused.ts'

const couponNotFound = (): ShopError => new ShopError('not_found', 'There is no such coupon.')

/** All coupons with how often they are used, the newest first. */
export const listCoupons = (db: Db): Promise<ManagedCoupon[]> =>
  db.transaction((tx) => readCoupons(tx), ONE_MOMENT)

/** @throws ShopError `not_found` */
async function readCoupon(tx: Tx, id: string): Promise<ManagedCoupon> {
  const [found] = z.uuid().safeParse(id).success ? await readCoupons(tx, id) : []
  if (found === undefined) throw couponNotFound()
  return found
}

type Counted = { id: string; used: number; given: number; early: boolean; over: boolean }

async function readCoupons(tx: Tx, id?: string): Promise<ManagedCoupon[]> {
  const found = await tx
    .select()
    .from(coupons)
    .where(id === undefined ? undefined : eq(coupons.id, id))
    .orderBy(desc(coupons.createdAt), desc(coupons.id))
  const counted = await rows<Counted>(
    tx,
    sql`select c.id, (o.used + w.used)::int as used, o.given::float8 as given,
          coalesce(c.starts_at > clock_timestamp(), false) as early,
          (c.ended_at is not null or coalesce(c.ends_at <= clock_timestamp(), false)) as over
        from coupons c
        cross join lateral (select count(*) as used, coalesce(sum(o.coupon_cents), 0) as given from orders o
          where o.coupon_id = c.id and o.status <> 'CANCELLED') o
        cross join lateral (select count(*) as used from waiting_orders w
          where w.coupon_id = c.id and ${stillWaits}) w
        where ${id === undefined} or c.id = ${id ?? ''}`,
  )
  const countOf = new Map(counted.map((one) => [one.id, one]))
  const titles = {
    products: await titlesOf(
      tx,
      products,
      found.flatMap((row) => row.products ?? []),
    ),
    categories: await titlesOf(
      tx,
      categories,
      found.flatMap((row) => row.categories ?? []),
    ),
  }
  return found.map((row) => viewOf(row, countOf.get(row.id), titles))
}

async function titlesOf(
  tx: Tx,
  table: typeof products | typeof categories,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await tx
    .select({ id: table.id, title: table.title })
    .from(table as typeof products)
    .where(inArray(table.id, [...new Set(ids)]))
  return new Map(found.map(({ id, title }) => [id, title]))
}

function viewOf(
  row: CouponRow,
  { used = 0, given = 0, early = false, over = false }: Partial<Counted> = {},
  titles: Record<'products' | 'categories', ReadonlyMap<string, string>>,
): ManagedCoupon {
  const named = (of: 'products' | 'categories') =>
    row[of]?.map((_id) => ({ _id, title: titles[of].get(_id) ?? null })) ?? null
  const isUsedUp = row.uses !== null && used >= row.uses
  return {
    _id: row.id,
    code: row.code,
    percent: row.percent,
    amount: row.amountCents,
    minimum: row.minimumCents,
    products: named('products'),
    categories: named('categories'),
    firstOrder: row.firstOrder,
    from: row.startsAt && timeText(row.startsAt),
    until: row.endsAt && timeText(row.endsAt),
    uses: row.uses,
    usesEach: row.usesEach,
    used,
    given,
    endedAt: row.endedAt && timeText(row.endedAt),
    state: over ? 'over' : isUsedUp ? 'used up' : early ? 'early' : 'open',
    createdAt: timeText(row.createdAt),
    version: row.version,
  }
}

/** A coupon as the audit log has it: what follows from orders and from the clock is not a change of it. */
const audited = ({ used: _used, given: _given, state: _state, ...coupon }: ManagedCoupon) => coupon

/** @throws ShopError `conflict` for a code that there is, or too many, `input.invalid` for goods that there are not */
export function createCoupon(
  { db }: { db: Db },
  principal: Principal,
  input: CouponInput,
): Promise<ManagedCoupon> {
  return db.transaction(async (tx) => {
    await assertThere(tx, 'products', products, input.products)
    await assertThere(tx, 'categories', categories, input.categories)
    if ((await tx.$count(coupons)) >= MAX_COUPONS)
      throw new ShopError(
        'conflict',
        `There are ${MAX_COUPONS} coupons already. Delete some that nobody used.`,
      )
    const id = randomUUID()
    const [made] = await tx.insert(coupons).values(columnsOf(id, input)).onConflictDoNothing().returning()
    if (made === undefined) throw codeTaken(input.code)
    const coupon = await readCoupon(tx, id)
    await writeAuditEntry(tx, principal, 'coupon', id, { before: null, after: audited(coupon) })
    return coupon
  })
}

function codeTaken(code: string): ShopError {
  const message = `There is a coupon ${code} already, perhaps one that has ended.`
  return new ShopError('conflict', message, { fields: [{ path: 'code', message }] })
}

const columnsOf = (id: string, input: CouponInput): typeof coupons.$inferInsert => ({
  id,
  code: input.code,
  percent: input.percent ?? null,
  amountCents: input.amount ?? null,
  products: input.products ?? null,
  categories: input.categories ?? null,
  minimumCents: input.minimum,
  firstOrder: input.firstOrder,
  startsAt: input.from == null ? null : new Date(input.from),
  endsAt: input.until == null ? null : new Date(input.until),
  uses: input.uses ?? null,
  usesEach: input.usesEach ?? null,
})

async function assertThere(
  tx: Tx,
  path: 'products' | 'categories',
  table: typeof products | typeof categories,
  ids: readonly string[] | null | undefined,
): Promise<void> {
  const titles = await titlesOf(tx, table, ids ?? [])
  for (const [i, id] of (ids ?? []).entries())
    if (!titles.has(id)) throw fieldError(`${path}[${i}]`, 'There is none such any more.')
}

/**
 * Ends a coupon, or lets it be used again. Orders that have it keep it. One that is so already stays as it is.
 * @throws ShopError `not_found`, `version.stale`
 */
export function updateCoupon(
  { db }: { db: Db },
  principal: Principal,
  id: string,
  { ended, version }: CouponPatch,
): Promise<ManagedCoupon> {
  return changing(db, id, async (tx, before) => {
    if ((before.endedAt !== null) === ended) return before
    checkVersion(version, before)
    await tx
      .update(coupons)
      .set({ endedAt: ended ? sql`clock_timestamp()` : null, version: before.version + 1 })
      .where(eq(coupons.id, id))
    const after = await readCoupon(tx, id)
    await writeAuditEntry(tx, principal, 'coupon', id, { before: audited(before), after: audited(after) })
    return after
  })
}

/**
 * Deletes a coupon that no order has, also none that was cancelled.
 * @throws ShopError `not_found`, `version.stale`, `conflict` when orders have it
 */
export function deleteCoupon(
  { db }: { db: Db },
  principal: Principal,
  id: string,
  version: number | undefined,
): Promise<void> {
  return changing(db, id, async (tx, before) => {
    checkVersion(version, before)
    const placed = await tx.$count(orders, eq(orders.couponId, id))
    const waiting = await tx.$count(waitingOrders, eq(waitingOrders.couponId, id))
    if (placed + waiting > 0)
      throw new ShopError('conflict', 'Orders have this coupon, cancelled ones too: end it instead.')
    await tx.delete(coupons).where(eq(coupons.id, id))
    await writeAuditEntry(tx, principal, 'coupon', id, { before: audited(before), after: null })
  })
}

/** Locks a coupon, so that nobody uses it meanwhile. */
function changing<Made>(
  db: Db,
  id: string,
  change: (tx: Tx, before: ManagedCoupon) => Promise<Made>,
): Promise<Made> {
  return db.transaction(async (tx) => {
    await lock(tx).coupons([id])
    return change(tx, await readCoupon(tx, id))
  })
}
