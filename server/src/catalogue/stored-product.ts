import { type SQLWrapper, sql } from 'drizzle-orm'
import { jsonOf } from '#server/db/column-map.ts'
import { files } from '#server/db/schema/files.ts'
import { productImages, products } from '#server/db/schema/shop.ts'
import { productColumns } from './product-columns.ts'
import type { ImageRow, ShownRow } from './views.ts'

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
