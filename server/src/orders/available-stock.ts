import { ShopError } from '@befaqt/domain/errors'
import { lineLimit } from '@befaqt/domain/order-totals'
import { downTo, plus, stepOf } from '@befaqt/domain/quantity'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import type { ProductRow } from '#server/catalogue/products/read-products.ts'
import { backingOf, sellableUnits } from '#server/catalogue/sellable.ts'
import { lockNamed } from '#server/db/advisory-locks.ts'
import { rows, type Tx } from '#server/db/client.ts'
import type { Locks } from '#server/db/lock.ts'
import { categories } from '#server/db/schema/shop.ts'
import type { OrderRules } from '#server/site/site.ts'
import { shareOf } from './order-limits.ts'

type Wanted = { product_id: string; quantity: number }
type Short = { product_id: string; wanted: number; left: number; why?: 'line' | 'network' | 'step' }

/** Whose own hold does not count against them: a user's, or that of a guest who knows its id. */
export type HoldOwner = { userId: string | null; hold: string | undefined }

/** SQL: is the hold `h` the owner's? */
export const isOwnHold = ({ userId, hold }: HoldOwner) =>
  sql`coalesce((h.user_id is null and h.id = ${hold ?? null}) or h.user_id = ${userId}, false)`

/** SQL: does the order `o` count for this network, since nobody has confirmed it yet? */
export const isUnconfirmed = (network: string): SQL =>
  sql`(o.network is not null and o.network = ${network} and o.status = 'PLACED')`

/** A locked product, and how many units of it may be sold before what others hold. */
export type AvailableProduct = ProductRow & { sellable: number }

/**
 * `network`: keyed hash of the network that may hold only a share; null: no share is asked about. `isAgreed`: the lines
 * were taken down before, when they were in the steps of their products.
 */
type Terms = { rules: OrderRules; network?: string | null; isAgreed?: boolean | undefined }

/** What quantities of a stored product are multiples of. */
const stepOfRow = ({ unit, stepGrams }: Pick<ProductRow, 'unit' | 'stepGrams'>): number =>
  stepOf({ unit, step: stepGrams / 1_000 })

/**
 * Locks the products and checks that all of it is available: on sale, in their steps, and there without what other
 * checkouts hold.
 * @throws ShopError `stock.insufficient`, details `{ lines: [{ product_id, wanted, left, why? }] }`: what is left for this
 *   shopper, and why it is less than the stock: 'line', 'network' or 'step'
 */
export async function lockAvailable(
  tx: CatalogueTx,
  locks: Locks<'products' | 'slots'>,
  lines: readonly Wanted[],
  owner: HoldOwner,
  { rules, network = null, isAgreed = false }: Terms,
): Promise<[available: Map<string, AvailableProduct>, left: Locks<'slots'>]> {
  const shopper = owner.userId ?? owner.hold
  if (shopper !== undefined) await lockShopper(tx, shopper)
  const ids = lines.map(({ product_id }) => product_id)
  const [locked, left] = await locks.products(ids)
  const onSale = await activeCategories(tx, [...locked.values()])
  const held = await heldByOthers(tx, ids, owner)
  const backing = await backingOf(tx, ids)
  const near = network === null ? null : await takenByNetwork(tx, ids, owner, network)
  const available = new Map<string, AvailableProduct>()
  const short = lines.flatMap(({ product_id, quantity }): Short[] => {
    const product = locked.get(product_id)
    const isSold = product?.status === 'ACTIVE' && onSale.has(product.categoryId)
    if (!isSold) return [{ product_id, wanted: quantity, left: 0 }]
    const sellable = sellableUnits(product.stock, backing.get(product_id))
    available.set(product_id, { ...product, sellable })
    const share = near === null ? sellable : shareLeft(product_id, sellable, near, rules)
    const bounds = [
      { left: Math.max(0, plus(sellable, -(held.get(product_id) ?? 0))) },
      { left: lineLimit(product, rules), why: 'line' as const },
      { left: Math.max(0, share), why: 'network' as const },
    ]
    const least = bounds.reduce((one, other) => (other.left < one.left ? other : one))
    const step = isAgreed ? 0.001 : stepOfRow(product)
    if (quantity > least.left)
      return [{ product_id, wanted: quantity, ...least, left: downTo(step, least.left) }]
    const left = downTo(step, quantity)
    return left < quantity ? [{ product_id, wanted: quantity, left, why: 'step' }] : []
  })
  if (short.length > 0) {
    const isStep = short.every(({ why }) => why === 'step')
    throw new ShopError(
      'stock.insufficient',
      isStep
        ? 'Some products are sold in other steps. Nothing was reserved.'
        : 'Some products no longer have enough stock. Nothing was reserved.',
      { details: { lines: short } },
    )
  }
  return [available, left]
}

/** One request of a user, or of a guest's checkout, at a time: each replaces the hold before. */
const lockShopper = (tx: Tx, id: string): Promise<unknown> => lockNamed(tx, 'checkout', id)

async function activeCategories(tx: Tx, products: readonly ProductRow[]): Promise<Set<string>> {
  const ids = [...new Set(products.map(({ categoryId }) => categoryId))]
  if (ids.length === 0) return new Set()
  const found = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(and(inArray(categories.id, ids), eq(categories.status, 'ACTIVE')))
  return new Set(found.map(({ id }) => id))
}

/** Quantities in open holds of others, by product. */
const heldByOthers = (tx: Tx, ids: readonly string[], owner: HoldOwner): Promise<Map<string, number>> =>
  heldUnits(tx, ids, sql`not ${isOwnHold(owner)}`)

type Near = { held: Map<string, number>; ordered: Map<string, number> }

/** Quantities in open holds of others in the same network, and in its orders that nobody confirmed, by product. */
async function takenByNetwork(
  tx: Tx,
  ids: readonly string[],
  owner: HoldOwner,
  network: string,
): Promise<Near> {
  const ordered = await rows<{ id: string; units: number }>(
    tx,
    sql`select l.product_id as id, sum(l.quantity)::float8 as units
        from orders o join order_lines l on l.order_id = o.id
        where ${isUnconfirmed(network)} and l.left_out_reason is null
          and l.product_id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
        group by l.product_id`,
  )
  return {
    held: await heldUnits(tx, ids, sql`h.network = ${network} and not ${isOwnHold(owner)}`),
    ordered: new Map(ordered.map(({ id, units }) => [id, units])),
  }
}

/** What a network may still take of a product: its share of what there was before its own orders took theirs. */
function shareLeft(id: string, sellable: number, { held, ordered }: Near, rules: OrderRules): number {
  const taken = ordered.get(id) ?? 0
  return plus(shareOf(plus(sellable, taken), rules), -plus(taken, held.get(id) ?? 0))
}

async function heldUnits(tx: Tx, ids: readonly string[], which: SQL): Promise<Map<string, number>> {
  const found = await rows<{ id: string; held: number }>(
    tx,
    sql`select l.product_id as id, sum(l.quantity)::float8 as held
        from hold_lines l join holds h on h.id = l.hold_id
        where l.product_id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
          and h.expires_at > clock_timestamp() and ${which}
        group by l.product_id`,
  )
  return new Map(found.map(({ id, held }) => [id, held]))
}
