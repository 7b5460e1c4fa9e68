import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { asc, eq, inArray } from 'drizzle-orm'
import { productView } from '#server/catalogue/views.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import { categories, productBoxes, productImages, products } from '#server/db/schema/shop.ts'

export type ProductRow = typeof products.$inferSelect

/** Ids per query: parameters of one statement are limited to 65,535. */
const IDS_PER_QUERY = 5_000

/** Products as managers see them, in the order of `rows`, with pictures, category and boxes. */
export async function managedProducts(db: Db | Tx, rows: readonly ProductRow[]): Promise<ManagedProduct[]> {
  const managed: ManagedProduct[] = []
  for (let from = 0; from < rows.length; from += IDS_PER_QUERY)
    managed.push(...(await managedPart(db, rows.slice(from, from + IDS_PER_QUERY))))
  return managed
}

async function managedPart(db: Db | Tx, rows: readonly ProductRow[]): Promise<ManagedProduct[]> {
  const ids = rows.map(({ id }) => id)
  const images = Map.groupBy(await readImages(db, ids), ({ productId }) => productId)
  const boxes = Map.groupBy(await readLinks(db, ids), ({ productId }) => productId)
  const titles = new Map(
    (await db.select({ id: categories.id, title: categories.title }).from(categories)).map((category) => [
      category.id,
      category.title,
    ]),
  )
  return rows.map((row) => {
    const { box: _, ...view } = productView(row, images.get(row.id) ?? [], null)
    return {
      ...view,
      categoryTitle: titles.get(row.categoryId) ?? '',
      boxes: (boxes.get(row.id) ?? []).map(({ boxId, quantity }) => ({ boxID: boxId, quantity })),
      version: row.version,
      updatedAt: row.updatedAt.toISOString(),
    }
  })
}

const readImages = (db: Db | Tx, ids: string[]) =>
  db
    .select({
      productId: productImages.productId,
      path: productImages.path,
      alt: productImages.alt,
      width: files.width,
      height: files.height,
    })
    .from(productImages)
    .innerJoin(files, eq(files.path, productImages.path))
    .where(inArray(productImages.productId, ids))
    .orderBy(asc(productImages.productId), asc(productImages.position))

const readLinks = (db: Db | Tx, ids: string[]) =>
  db
    .select()
    .from(productBoxes)
    .where(inArray(productBoxes.productId, ids))
    .orderBy(asc(productBoxes.productId), asc(productBoxes.createdAt), asc(productBoxes.boxId))

/** One product as managers see it. @throws ShopError `product.not_found` */
export async function managedProduct(db: Db | Tx, id: string): Promise<ManagedProduct> {
  const [managed] = await managedProducts(db, await db.select().from(products).where(eq(products.id, id)))
  if (managed === undefined) throw productNotFound()
  return managed
}

export const productNotFound = (): ShopError =>
  new ShopError('product.not_found', 'There is no such product.')
