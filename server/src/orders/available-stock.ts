import { amountOf } from '@befaqt/domain/amount'
import { stockStep } from '@befaqt/domain/catalogue-steps'
import { ShopError } from '@befaqt/domain/errors'
import { lineLimit } from '@befaqt/domain/order-totals'
import { downTo, plus, stepOf } from '@befaqt/domain/quantity'
import type { PreparedKind } from '@befaqt/domain/statuses'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import {
  Backings,
  type CatalogueTx,
  comeFromWeighed,
  type ProductRow,
  sellableUnits,
} from '#server/catalogue/index.ts'
import { lockNamed } from '#server/db/advisory-locks.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { categories } from '#server/db/schema/shop.ts'
import type { OrderRules } from '#server/site/index.ts'
import type { HoldOwner, OpenHolds } from './open-holds.ts'
import { shareOf } from './order-limits.ts'

/**
 * `had`: so much of it is the shopper's already, in the order that is changed; so much may be kept however little is left.
 * `path`: where the request has it; absent: it has not, since the line stays as it is.
 */
type Wanted = {
  product_id: string
  preparation?: PreparedKind | undefined
  quantity: number
  had?: number
  path?: string
}
/** `path`, `together`: which line it is, and what is left for all of them, where its product has several. */
type Short = Pick<Wanted, 'product_id' | 'preparation' | 'path'> & {
  wanted: number
  left: number
  together?: number
  why?: 'line' | 'network' | 'step'
}

/** The lines of a request, with where it has them. */
export const inRequest = <Line>(lines: readonly Line[]): (Line & { path: string })[] =>
  lines.map((line, i) => ({ ...line, path: `lines[${i}]` }))

/** SQL: does the order `o` count for one of these networks, since nobody has confirmed it yet? */
export const isUnconfirmedIn = (networks: readonly string[]): SQL =>
  sql`(o.network is not null and o.network = any(${sql.param([...networks])}::text[]) and o.status = 'PLACED')`

/** A locked product, and how many units of it may be sold before what others hold. */
export type AvailableProduct = ProductRow & { sellable: number }

/**
 * Whose lines are asked about. `network`: keyed hash of the network that may hold only a share; null: it may take all.
 * `isAgreed`: the lines were taken down before, when they were in the steps of their products.
 */
export type Shopper = { owner: HoldOwner; network: string | null; isAgreed?: boolean | undefined }

/** What is taken of stock: a line, as it is ordered. */
type Ordered = { productId: string; unit: string; quantity: number }

/** What quantities of a stored product are multiples of. */
const stepOfRow = ({ unit, stepGrams }: Pick<ProductRow, 'unit' | 'stepGrams'>): number =>
  stepOf({ unit, step: stepGrams / 1_000 })

/**
 * What stands behind locked products. Where one of them comes from a weighed box, nobody else takes from such boxes until
 * the transaction ends: what is left of one may hang on products and boxes that nobody asks for.
 */
export async function lockBackings(tx: CatalogueTx, ids: readonly string[]): Promise<Backings> {
  if (await comeFromWeighed(tx, ids)) await lockNamed(tx, 'weighedBoxes')
  return Backings.read(tx, ids)
}

/** How much of locked products is left, for one shopper after the other: `take` counts what one of them gets. */
export class AvailableStock {
  readonly #products: Map<string, ProductRow>
  readonly #onSale: ReadonlySet<string>
  readonly #backings: Backings
  readonly #ordered: Map<string, number>
  readonly #holds: OpenHolds

  private constructor(
    products: Map<string, ProductRow>,
    facts: { onSale: Set<string>; backings: Backings; ordered: Map<string, number> },
    holds: OpenHolds,
  ) {
    this.#products = products
    this.#onSale = facts.onSale
    this.#backings = facts.backings
    this.#ordered = facts.ordered
    this.#holds = holds
  }

  /**
   * @param products locked rows
   * @param backings of them, with those that come from the same weighed boxes; holds are of all of these
   * @param networks whose unconfirmed orders count against their share
   */
  static async read(
    tx: CatalogueTx,
    products: Map<string, ProductRow>,
    { backings, holds }: { backings: Backings; holds: OpenHolds },
    networks: readonly string[],
  ): Promise<AvailableStock> {
    const ids = [...products.keys()]
    const onSale = await activeCategories(tx, [...products.values()])
    const ordered = await orderedInNetworks(tx, ids, networks)
    return new AvailableStock(products, { onSale, backings, ordered }, holds)
  }

  /** The locked rows, by their ids. */
  get products(): ReadonlyMap<string, ProductRow> {
    return this.#products
  }

  /**
   * Units of a product that may be sold, before what open checkouts hold of it. What they hold of other products that come
   * from the same weighed boxes is not there any more, nor is what the shopper wants of those.
   */
  #sellable({ id, stock }: ProductRow, owner: HoldOwner, wanted: ReadonlyMap<string, number>): number {
    const others = this.#backings.near(id).filter((other) => other !== id)
    const also = new Map(
      others.map((other) => {
        const units = plus(this.#holds.unitsBut(owner, other), wanted.get(other) ?? 0)
        return [other, amountOf(this.#backings.unitOf(other), units).value]
      }),
    )
    return sellableUnits(stock, this.#backings.of(id, also))
  }

  /**
   * Checks that all of it is available: on sale, in their steps, and there without what other checkouts hold. What there
   * is of a product, and what one order takes of it, is for all its lines, however they are prepared.
   * @throws ShopError `stock.insufficient`, details `{ lines: [{ product_id, preparation?, wanted, left, why?, path?,
   *   together? }] }`: what is left for this shopper, and why it is less than the stock: 'line', 'network' or 'step'
   */
  check(lines: readonly Wanted[], shopper: Shopper, rules: OrderRules): Map<string, AvailableProduct> {
    const available = new Map<string, AvailableProduct>()
    const taken = new Map<string, number>()
    const short = [...Map.groupBy(lines, ({ product_id }) => product_id)].flatMap(([id, all]): Short[] => {
      const of = all.length > 1 ? all : all.map(({ path: _, ...line }) => line)
      const product = this.#products.get(id)
      const isOnSale = product?.status === 'ACTIVE' && this.#onSale.has(product.categoryId)
      const more = of.filter(({ quantity, had = 0 }) => quantity > had)
      if (product === undefined || (!isOnSale && more.length > 0))
        return more.map(({ quantity, had = 0, ...line }) => ({ ...line, wanted: quantity, left: had }))
      const sellable = this.#sellable(product, shopper.owner, taken)
      available.set(id, { ...product, sellable })
      const missing = this.#shortOf({ ...product, sellable }, of, shopper, rules)
      const left = missing.reduce((sum, line) => plus(sum, plus(line.left, -line.wanted)), 0)
      taken.set(
        id,
        of.reduce((sum, { quantity }) => plus(sum, quantity), left),
      )
      return missing
    })
    if (short.length === 0) return available
    const isStep = short.every(({ why }) => why === 'step')
    throw new ShopError(
      'stock.insufficient',
      isStep
        ? 'Some products are sold in other steps. Nothing was reserved.'
        : 'Some products no longer have enough stock. Nothing was reserved.',
      { details: { lines: short } },
    )
  }

  /** Lines of a product of which there is too little: each keeps what it had, and gets of the rest what those before leave. */
  #shortOf(
    product: AvailableProduct,
    lines: readonly Wanted[],
    shopper: Shopper,
    rules: OrderRules,
  ): Short[] {
    const bounds = this.#bounds(product, shopper, rules)
    const least = bounds.reduce((one, other) => (other.left < one.left ? other : one))
    const step = shopper.isAgreed ? 0.001 : stepOfRow(product)
    const sum = (of: (line: Wanted) => number) => lines.reduce((all, line) => plus(all, of(line)), 0)
    const all = Math.max(
      sum(({ had = 0 }) => had),
      least.left,
    )
    let rest = plus(all, -sum(({ quantity, had = 0 }) => Math.min(quantity, had)))
    return lines.flatMap(({ quantity: wanted, had = 0, ...line }): Short[] => {
      const kept = Math.min(wanted, had)
      const room = plus(kept, rest)
      const isEnough = wanted <= room
      const left =
        wanted === had ? wanted : Math.max(isEnough ? 0 : had, downTo(step, Math.min(wanted, room)))
      rest = plus(rest, -Math.max(0, plus(left, -kept)))
      if (left === wanted) return []
      if (isEnough) return [{ ...line, wanted, left, why: 'step' }]
      return [{ ...line, wanted, ...least, left, ...(lines.length > 1 && { together: all }) }]
    })
  }

  #bounds(product: AvailableProduct, { owner, network }: Shopper, rules: OrderRules): Bound[] {
    const { sellable } = product
    const held = this.#holds.unitsBut(owner, product.id)
    const left = [
      { left: Math.max(0, plus(sellable, -held)) },
      { left: lineLimit(product, rules), why: 'line' as const },
    ]
    if (network === null) return left
    // Its share is of what there was before its own orders took theirs.
    const ordered = this.#ordered.get(keyOf(product.id, network)) ?? 0
    const near = plus(ordered, this.#holds.unitsBut(owner, product.id, network))
    const share = plus(shareOf(plus(sellable, ordered), rules), -near)
    return [...left, { left: Math.max(0, share), why: 'network' }]
  }

  /**
   * Counts a line that is ordered. @param network which it counts for until it is confirmed
   * @returns the products whose cards show another stock now, or may: those that come from the same weighed boxes
   */
  take({ productId: id, unit, quantity }: Ordered, network: string | null): string[] {
    const product = this.#products.get(id)
    if (product === undefined) throw new Error('what is taken was locked')
    const before = sellableUnits(product.stock, this.#backings.of(id))
    this.#products.set(id, { ...product, stock: plus(product.stock, -quantity) })
    this.#backings.promise(id, amountOf(unit, quantity))
    if (network !== null) {
      const key = keyOf(id, network)
      this.#ordered.set(key, plus(this.#ordered.get(key) ?? 0, quantity))
    }
    const near = this.#backings.near(id)
    return near.length > 1 || stockStep(before) !== stockStep(plus(before, -quantity)) ? near : []
  }

  /** Counts a line that its order gives back, to be asked for anew. */
  giveBack(line: Ordered, network: string | null): void {
    this.take({ ...line, quantity: -line.quantity }, network)
  }
}

type Bound = { left: number; why?: 'line' | 'network' }

const keyOf = (product: string, network: string): string => `${network} ${product}`

async function activeCategories(tx: Tx, products: readonly ProductRow[]): Promise<Set<string>> {
  const ids = [...new Set(products.map(({ categoryId }) => categoryId))]
  if (ids.length === 0) return new Set()
  const found = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(and(inArray(categories.id, ids), eq(categories.status, 'ACTIVE')))
  return new Set(found.map(({ id }) => id))
}

/**
 * Units in orders of these networks that nobody confirmed, by product and network. Asked from the orders on, which are few:
 * from the lines of a product on, an order would read all that was ever sold of it.
 */
async function orderedInNetworks(
  tx: Tx,
  ids: readonly string[],
  networks: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0 || networks.length === 0) return new Map()
  const found = await rows<{ id: string; network: string; units: number }>(
    tx,
    sql`select l.product_id as id, o.network, sum(l.quantity)::float8 as units
        from orders o cross join lateral (
          select product_id, quantity from order_lines
          where order_id = o.id and left_out_reason is null
            and product_id = any(${sql.param([...ids])}::text[])
          offset 0) l
        where ${isUnconfirmedIn(networks)}
        group by l.product_id, o.network`,
  )
  return new Map(found.map(({ id, network, units }) => [keyOf(id, network), units]))
}
