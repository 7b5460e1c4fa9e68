import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { backingOf, sellableUnits } from '#server/catalogue/sellable.ts'
import { imagesOf, storedProduct } from '#server/catalogue/stored-product.ts'
import { type ImageRow, storedView } from '#server/catalogue/views.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { finite, timeText } from '#server/db/stored-values.ts'
import { canAccessBox, type Principal } from '#server/identity/principal.ts'

export type ProductRow = typeof products.$inferSelect

/** By title, the default order of lists. */
export const byTitle: readonly SQL[] = [asc(products.search), asc(products.id)]

/** The columns that only managers see; boxes in the order in which they were linked. */
const stored = sql<Stored>`json_build_object(
  'version', ${products.version}, 'updatedAt', ${products.updatedAt}, 'categoryTitle', ${categories.title},
  'images', ${imagesOf(products.id)},
  'boxes', (
    select coalesce(json_agg(json_build_object('boxID', b.box_id, 'quantity', ${finite(sql`b.quantity`)})
      order by b.created_at, b.box_id), '[]')
    from product_boxes b where b.product_id = ${products.id}),
  'recalledBoxes', (
    select coalesce(json_agg(x.id order by x.id), '[]')
    from product_boxes b join boxes x on x.id = b.box_id
    where b.product_id = ${products.id} and x.recall_id is not null),
  'offSaleBoxes', (
    select coalesce(json_agg(x.id order by x.id), '[]')
    from product_boxes b join boxes x on x.id = b.box_id
    where b.product_id = ${products.id} and x.off_sale_at is not null))`

type Stored = Pick<
  ManagedProduct,
  'version' | 'categoryTitle' | 'boxes' | 'recalledBoxes' | 'offSaleBoxes'
> & {
  updatedAt: string
  images: ImageRow[]
}

/** Products that match `where`, as managers see them, in one query. */
export async function managedProducts(
  db: Db | Tx,
  where: SQL,
  order: readonly SQL[] = byTitle,
): Promise<ManagedProduct[]> {
  const found = await db
    .select({ row: storedProduct, more: stored })
    .from(products)
    .innerJoin(categories, eq(categories.id, products.categoryId))
    .where(where)
    .orderBy(...order)
  const backing = await backingOf(
    db,
    found.map(({ row }) => row.id),
  )
  return found.map(({ row, more: { images, updatedAt, ...more } }) => ({
    ...storedView(row, images),
    ...more,
    sellable: sellableUnits(row.stock, backing.get(row.id)),
    updatedAt: timeText(new Date(updatedAt)),
  }))
}

/** One product as managers see it. @throws ShopError `product.not_found` */
export async function managedProduct(db: Db | Tx, id: string): Promise<ManagedProduct> {
  const [managed] = await managedProducts(db, eq(products.id, id))
  if (managed === undefined) throw productNotFound()
  return managed
}

/** The product without links to boxes that the principal's key may not access. */
export const seenBy = (principal: Principal, product: ManagedProduct): ManagedProduct => ({
  ...product,
  boxes: product.boxes.filter(({ boxID }) => canAccessBox(principal, boxID)),
  recalledBoxes: product.recalledBoxes.filter((boxID) => canAccessBox(principal, boxID)),
  offSaleBoxes: product.offSaleBoxes.filter((boxID) => canAccessBox(principal, boxID)),
})

export const productNotFound = (): ShopError =>
  new ShopError('product.not_found', 'There is no such product.')
