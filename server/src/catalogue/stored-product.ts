import { type SQLWrapper, sql } from 'drizzle-orm'
import { files } from '#server/db/schema/files.ts'
import { productImages, products } from '#server/db/schema/shop.ts'
import type { ImageRow, ShownRow } from './views.ts'

// Many products are read as JSON values: the embedded database's results are taken apart in JavaScript cell by cell,
// which took longer than finding the rows.

/** What is shown of a row of `products`, as one value. */
export const storedProduct = sql<ShownRow>`json_build_object(
  'id', ${products.id}, 'title', ${products.title}, 'categoryId', ${products.categoryId},
  'priceCents', ${products.priceCents}, 'unit', ${products.unit}, 'includeGst', ${products.includeGst},
  'discount', ${products.discount}, 'stock', ${products.stock}, 'shelfPos', ${products.shelfPos},
  'status', ${products.status}, 'description', ${products.description})`

/** All pictures of a group of rows of `product_images`, with their `files`, in their order. */
export const storedImages = sql<ImageRow[]>`json_agg(json_build_object('path', ${productImages.path},
  'width', ${files.width}, 'height', ${files.height}, 'alt', ${productImages.alt})
  order by ${productImages.position})`

/** The pictures of one product, none too, for a query that joins `products` with another table. */
export const imagesOf = (productId: SQLWrapper) => sql<ImageRow[]>`(
  select coalesce(${storedImages}, '[]') from ${productImages}
  join ${files} on ${files.path} = ${productImages.path} where ${productImages.productId} = ${productId})`
