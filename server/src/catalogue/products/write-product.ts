import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { eq } from 'drizzle-orm'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/product-columns.ts'
import { pickFields } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { categories, productImages } from '#server/db/schema/shop.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { OrderedImage } from './ordered-images.ts'
import { managedProduct, productNotFound } from './read-products.ts'

/** Locks the category against deletion until the transaction ends. @throws ShopError `input.invalid` if it doesn't exist */
export async function lockProductCategory(tx: CatalogueTx, id: string): Promise<void> {
  const [found] = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(eq(categories.id, id))
    .for('key share')
  if (found === undefined) throw fieldError('category_id', 'There is no such category (any more).')
}

/** Reads and locks the product until the transaction ends. @throws ShopError `product.not_found` */
export async function lockProduct(tx: CatalogueTx, id: string): Promise<ManagedProduct> {
  const [found] = await lock(tx).products([id])
  if (!found.has(id)) throw productNotFound()
  return managedProduct(tx, id)
}

/** Replaces the product's images. */
export async function writeImages(
  tx: CatalogueTx,
  productId: string,
  images: readonly OrderedImage[],
): Promise<void> {
  await tx.delete(productImages).where(eq(productImages.productId, productId))
  if (images.length === 0) return
  await tx
    .insert(productImages)
    .values(images.map(({ path, alt }, position) => ({ productId, position, path, alt })))
}

/** The audited fields of a product: those that managers edit. Bulk changes leave out images and boxes, which don't change. */
export const auditedProduct = (product: ManagedProduct): Record<string, unknown> => ({
  ...pickFields(productColumns, product),
  imagePaths: product.imagePaths,
  imageAlts: product.images.map(({ alt }) => alt),
  boxes: product.boxes,
})
