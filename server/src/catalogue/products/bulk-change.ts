import { isDeepStrictEqual } from 'node:util'
import type { BulkChanged, BulkPreview } from '@befaqt/domain/api/manage-api'
import { Price, ProductPatch } from '@befaqt/domain/catalogue'
import { type FieldError, ShopError } from '@befaqt/domain/errors'
import { MAX_DOLLARS } from '@befaqt/domain/limits'
import { cents, decimalFromCents } from '@befaqt/domain/money'
import { changedPrice } from '@befaqt/domain/product-fields'
import { ScheduleChange } from '@befaqt/domain/schedule'
import { z } from 'zod'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { managedColumns } from '#server/catalogue/columns.ts'
import { shownFields } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { choiceShape, chosenProducts, oneChoice } from './chosen-products.ts'
import { type Planning, withPlan } from './plan.ts'
import { type ProductRow, productsOf } from './read-products.ts'
import { type RowChange, writeMany } from './write-many.ts'
import { lockProductCategory } from './write-product.ts'

/** Products per call. */
export const MAX_PRODUCTS = 10_000
const factor = z.number('priceFactor must be a number').min(0, 'priceFactor must be 0 to 10').max(10)
/** A difference in dollars, whole cents. */
const delta = z
  .number('priceDelta must be a number')
  .refine(
    (value) => Price.safeParse(Math.abs(value)).success,
    `priceDelta must be whole cents, at most ${MAX_DOLLARS}`,
  )

/** One change of many products. Prices: a new one, a difference, or a factor. */
export const BulkChange = z
  .strictObject({
    ...choiceShape(MAX_PRODUCTS),
    set: z
      .strictObject({
        category_id: ProductPatch.shape.category_id,
        status: ProductPatch.shape.status,
        stock: ProductPatch.shape.stock,
        discount: ProductPatch.shape.discount,
        priceValue: Price.optional(),
        priceDelta: delta.optional(),
        priceFactor: factor.optional(),
        schedule: ScheduleChange.optional(),
      })
      .refine((set) => Object.values(set).some((value) => value !== undefined), 'nothing to change was given')
      .refine(
        ({ priceValue, priceDelta, priceFactor }) =>
          [priceValue, priceDelta, priceFactor].filter((value) => value !== undefined).length <= 1,
        'the price can be changed in one way at a time',
      ),
  })
  .superRefine(oneChoice)
export type BulkChange = z.infer<typeof BulkChange>

/**
 * Changes category, status, stock, discount, price or schedule of many products: all of them or none. Returns those that
 * changed.
 * @throws ShopError `product.not_found`, `conflict` where others match than the caller knows, `input.invalid` when a
 * price would be out of range or the category is gone
 */
export const bulkChange = (
  deps: CatalogueWriter & Planning,
  principal: Principal,
  change: BulkChange,
): Promise<BulkChanged[]> =>
  changeCatalogue(
    deps,
    async (tx) => {
      const all = await planned(tx, deps, change, async (ids) => (await lock(tx).products(ids))[0])
      const different = all.filter(isDifferent)
      const entryIds = await writeMany(tx, actorId(principal), different, deps.now())
      return different.map(({ before, after }) => bulkChanged(before.version + 1, after, entryIds))
    },
    (changed) => changed.length > 0,
  )

/** Products of which a preview says what would change. */
const SHOWN = 20

/**
 * What a bulk change would change: how many products, and the first of them by title. Writes nothing and locks no product.
 * @throws ShopError what `bulkChange` would throw
 */
export async function previewChange(
  deps: CatalogueWriter & Planning,
  change: BulkChange,
): Promise<BulkPreview> {
  const all = await changeCatalogue(
    deps,
    (tx) => planned(tx, deps, change, (ids) => productsOf(tx, ids)),
    () => false,
  )
  const different = all.filter(isDifferent)
  const first = different.toSorted(byTitle).slice(0, SHOWN)
  return { matched: all.length, changed: different.length, rows: first.map(previewOf) }
}

/** As the list has them, near enough: the database compares by code points. */
const byTitle = (a: RowChange, b: RowChange): number => (a.before.search < b.before.search ? -1 : 1)

/** Every chosen product with what it would be. */
async function planned(
  tx: CatalogueTx,
  deps: Planning,
  { set, ...choice }: BulkChange,
  read: Parameters<typeof chosenProducts>[2],
): Promise<RowChange[]> {
  const found = await chosenProducts(tx, choice, read)
  if (set.category_id !== undefined) await lockProductCategory(tx, set.category_id, 'set.category_id')
  const all = found.map((before): RowChange => ({ before, after: applied(before, set, deps) }))
  refuseOddPrices(all)
  return all
}

const isDifferent = ({ before, after }: RowChange): boolean =>
  before.categoryId !== after.categoryId ||
  before.status !== after.status ||
  before.stock !== after.stock ||
  before.discount !== after.discount ||
  before.priceCents !== after.priceCents ||
  !isDeepStrictEqual(before.schedule, after.schedule)

function previewOf({ before, after }: RowChange): BulkPreview['rows'][number] {
  const [was, is] = [shownFields(managedColumns, before), shownFields(managedColumns, after)]
  const diff = Object.entries(is).flatMap(([field, to]) => {
    const from = was[field as keyof typeof was]
    return isDeepStrictEqual(from, to) ? [] : [[field, { from, to }] as const]
  })
  return { _id: before.id, title: before.title, diff: Object.fromEntries(diff) }
}

function applied(row: ProductRow, set: BulkChange['set'], deps: Planning): ProductRow {
  const { category_id: categoryId = row.categoryId, status = row.status, stock = row.stock } = set
  const { discount = row.discount, schedule, ...price } = set
  const priceCents = changedPrice(row.priceCents, price)
  const changed = { ...row, categoryId, status, stock, discount, priceCents }
  return withPlan(changed, schedule, deps, set.discount !== undefined)
}

/** A product changed by a bulk change or its undo. @param entryIds ids of audit entries by product */
export const bulkChanged = (
  version: number,
  { id, categoryId, status, stock, discount, priceCents, schedule }: ProductRow,
  entryIds: ReadonlyMap<string, number>,
): BulkChanged => ({
  _id: id,
  version,
  category_id: categoryId,
  status,
  stock,
  price: decimalFromCents(cents(priceCents)),
  discount,
  schedule,
  change: entryIds.get(id) ?? 0,
})

function refuseOddPrices(all: readonly RowChange[]): void {
  const odd = all.filter(({ after }) => after.priceCents < 0 || after.priceCents > MAX_DOLLARS * 100)
  if (odd.length === 0) return
  const fields = odd.slice(0, 20).map(
    ({ after }): FieldError => ({
      path: 'set',
      message: `${after.title} would cost ${decimalFromCents(cents(after.priceCents)).toFixed(2)}`,
    }),
  )
  const message = `Nothing was changed: ${fields.map((field) => field.message).join('; ')}.`
  throw new ShopError('input.invalid', message.slice(0, 1_000), { fields })
}
