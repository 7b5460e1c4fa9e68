import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import type { ProductInput, ProductPatch } from '@befaqt/domain/catalogue'
import { centsFromDecimal } from '@befaqt/domain/money'
import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { categories, productImages, products } from '#server/db/schema/shop.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { PlacedImage } from './placed-images.ts'
import { managedProduct, type ProductRow, productNotFound } from './read-products.ts'

/** Columns that hold what a manager types. */
export type TypedColumns = Omit<
  ProductRow,
  'id' | 'version' | 'createdAt' | 'updatedAt' | 'search' | 'shelfKey'
>

/** Columns of what a manager types; what was not typed is left out. */
export function columnsOf(fields: ProductInput): TypedColumns
export function columnsOf(fields: ProductPatch): Partial<TypedColumns>
export function columnsOf(fields: ProductPatch): Partial<TypedColumns> {
  const { title, category_id, price, unit, includeGST, discount, stock, shelfPos, status, description } =
    fields
  const columns = {
    title,
    categoryId: category_id,
    priceCents: price === undefined ? undefined : centsFromDecimal(price),
    unit,
    includeGst: includeGST,
    discount,
    stock,
    shelfPos,
    status,
    description,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** The category can't be removed before the transaction ends. @throws ShopError `input.invalid` when it is gone */
export async function holdCategory(tx: Tx, id: string): Promise<void> {
  const [found] = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(eq(categories.id, id))
    .for('key share')
  if (found === undefined) throw fieldError('category_id', 'There is no such category (any more).')
}

/** The product as it stands, nobody else changing it until the transaction ends. @throws ShopError `product.not_found` */
export async function lockProduct(tx: Tx, id: string): Promise<ManagedProduct> {
  const [found] = await tx.select({ id: products.id }).from(products).where(eq(products.id, id)).for('update')
  if (found === undefined) throw productNotFound()
  return managedProduct(tx, id)
}

/** Puts these pictures in the place of those that the product had. */
export async function writeImages(tx: Tx, productId: string, images: readonly PlacedImage[]): Promise<void> {
  await tx.delete(productImages).where(eq(productImages.productId, productId))
  if (images.length === 0) return
  await tx
    .insert(productImages)
    .values(images.map(({ path, alt }, position) => ({ productId, position, path, alt })))
}

/** What the history keeps of a product: everything but what follows from the rest. */
export function remembered(product: ManagedProduct): Record<string, unknown> {
  const { images, ...rest } = product
  return { ...rest, imageAlts: images.map(({ alt }) => alt) }
}
