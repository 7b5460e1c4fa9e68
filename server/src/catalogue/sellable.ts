import { subtract, unitsOf } from '@befaqt/domain/amount'
import { stockStep } from '@befaqt/domain/catalogue-steps'
import { downTo, stepOf } from '@befaqt/domain/quantity'
import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { type Backing, Backings, sharingBoxes } from './backings.ts'

/**
 * What stands behind products, by their ids; those without boxes are left out.
 * @param ids null: all products
 * @param asIf as if this box were stopped already
 */
export async function backingOf(
  db: Db | Tx,
  ids: readonly string[] | null,
  asIf?: string,
): Promise<Map<string, Backing>> {
  const backings = await Backings.read(db, ids, asIf)
  return backings.all(ids ?? backings.ids)
}

/**
 * Units of a product that may be sold, before what open checkouts hold: its stock, or less where its boxes have less.
 * The one rule for lists, cart, checkout, hold and order.
 */
export function sellableUnits(stock: number, backing: Backing | undefined): number {
  if (backing === undefined || backing.held === null) return stock
  const { unit, held, promised } = backing
  return Math.max(0, Math.min(stock, unitsOf(unit, subtract(held, promised))))
}

/** Units of products that may be sold now, by their ids, and of those that come from the same weighed boxes. */
async function sellableOf(tx: Tx, products: readonly string[]): Promise<Map<string, number>> {
  if (products.length === 0) return new Map()
  const ids = await sharingBoxes(tx, products)
  const stocks = await rows<{ id: string; stock: number }>(
    tx,
    sql`select id, stock::float8 as stock from products where id = any(${sql.param([...ids])}::text[])`,
  )
  const backing = await backingOf(tx, ids)
  return new Map(stocks.map(({ id, stock }) => [id, sellableUnits(stock, backing.get(id))]))
}

/** Which of these products can be bought now: on sale, and at least one step of them may be sold. */
export async function buyableOf(db: Db | Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const found = await rows<{ id: string; unit: string; stepGrams: number; stock: number }>(
    db,
    sql`select p.id, p.unit, p.step_grams as "stepGrams", p.stock::float8 as stock
        from products p join categories c on c.id = p.category_id
        where p.id = any(${sql.param([...ids])}::text[]) and p.status = 'ACTIVE' and c.status = 'ACTIVE'`,
  )
  const backing = await backingOf(db, ids)
  return new Set(
    found
      .filter((one) => inSteps(one, sellableUnits(one.stock, backing.get(one.id))) > 0)
      .map(({ id }) => id),
  )
}

/** What of a quantity can be bought, in the product's steps. */
export const inSteps = ({ unit, stepGrams }: { unit: string; stepGrams: number }, quantity: number): number =>
  downTo(stepOf({ unit, step: stepGrams / 1_000 }), quantity)

/** Does `work`, and returns its result with whether the public catalogue shows another stock of these products since. */
export async function withSellable<Made>(
  tx: Tx,
  ids: readonly string[],
  work: () => Promise<Made>,
): Promise<{ made: Made; isShown: boolean }> {
  const before = await sellableOf(tx, ids)
  const made = await work()
  const after = await sellableOf(tx, ids)
  const isShown = [...after].some(([id, units]) => stockStep(units) !== stockStep(before.get(id) ?? 0))
  return { made, isShown }
}
