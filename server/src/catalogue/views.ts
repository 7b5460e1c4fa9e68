import type { CategoryView, ImageView, ProductBox, ProductCard, ProductView } from '@befaqt/domain/catalogue'
import { type SQLWrapper, sql } from 'drizzle-orm'
import { jsonOf, shownFields } from '#server/db/column-map.ts'
import { files } from '#server/db/schema/files.ts'
import { type categories, productImages, products } from '#server/db/schema/shop.ts'
import { categoryColumns, type ProductColumns, productColumns } from './columns.ts'
import { inSteps } from './sellable.ts'

export type ImageRow = ImageView
type FileRow = typeof files.$inferSelect

/** A category in responses: only the specified fields. Source: spec §3. */
export const categoryView = (row: typeof categories.$inferSelect, file: FileRow | null): CategoryView => ({
  _id: row.id,
  ...shownFields(categoryColumns, row),
  imagePath: row.imagePath ?? '',
  image: file && { path: file.path, width: file.width, height: file.height, alt: row.imageAlt },
})

/** The public columns of `products`. */
export type ShownRow = ProductColumns & { id: string }

/** A product in public responses. @param sellable units of it that may be sold (`sellable.ts`) */
export const productView = (
  row: ShownRow,
  images: readonly ImageRow[],
  box: ProductBox | null,
  sellable: number,
): ProductView => ({
  ...storedView(row, images),
  stock: inSteps(row, sellable),
  box,
  saleStopped: inSteps(row, sellable) === 0 && inSteps(row, row.stock) > 0,
})

/** A product as it is stored. */
export const storedView = (row: ShownRow, images: readonly ImageRow[]) => ({
  _id: row.id,
  ...shownFields(productColumns, row),
  imagePaths: images.map((image) => image.path),
  images: images.map(({ path, width, height, alt }) => ({ path, width, height, alt })),
})

const cards = new WeakMap<ProductView, ProductCard>()

/** A product as its card shows it. The same card for the same object, so that what was rendered of it is used again. */
export function cardOf(product: ProductView): ProductCard {
  const made = cards.get(product) ?? newCard(product)
  cards.set(product, made)
  return made
}

function newCard(product: ProductView): ProductCard {
  const { _id, title, price, discount, unit, stock, shelfPos, origin, box, saleStopped } = product
  const image = product.images[0] ?? null
  const isPrepared = product.preparations.length > 0
  return { _id, title, price, discount, unit, stock, shelfPos, origin, box, saleStopped, image, isPrepared }
}

/** The public columns of `products`, as one JSON value. */
export const storedProduct = sql<ShownRow>`json_build_object('id', ${products.id}, ${jsonOf(productColumns)})`

/** All images of a group of rows of `product_images`, with their `files`, in order. */
export const storedImages = sql<ImageRow[]>`json_agg(json_build_object('path', ${productImages.path},
  'width', ${files.width}, 'height', ${files.height}, 'alt', ${productImages.alt})
  order by ${productImages.position})`

/** The images of one product, possibly none, for a query that joins `products` with another table. */
export const imagesOf = (productId: SQLWrapper) => sql<ImageRow[]>`(
  select coalesce(${storedImages}, '[]') from ${productImages}
  join ${files} on ${files.path} = ${productImages.path} where ${productImages.productId} = ${productId})`
