import type { CategoryView, ImageView, ProductBox, ProductView } from '@befaqt/domain/catalogue'
import type { files } from '#server/db/schema/files.ts'
import type { categories, products } from '#server/db/schema/shop.ts'

export type ImageRow = ImageView
type FileRow = typeof files.$inferSelect

/** A category as callers see it: only the fields that we promise. Source: spec §3. */
export const categoryView = (row: typeof categories.$inferSelect, file: FileRow | null): CategoryView => ({
  _id: row.id,
  title: row.title,
  icon: row.icon,
  imagePath: row.imagePath ?? '',
  description: row.description,
  shelfPos: row.shelfPos,
  status: row.status,
  image: file && { path: file.path, width: file.width, height: file.height, alt: row.imageAlt },
})

/** The columns of a product that are shown to callers. */
export type ShownRow = Omit<
  typeof products.$inferSelect,
  'version' | 'createdAt' | 'updatedAt' | 'search' | 'shelfKey'
>

/** A product as callers see it; cents become the specification's decimals here. */
export const productView = (
  row: ShownRow,
  images: readonly ImageRow[],
  box: ProductBox | null,
): ProductView => ({
  _id: row.id,
  title: row.title,
  category_id: row.categoryId,
  imagePaths: images.map((image) => image.path),
  price: row.priceCents / 100,
  unit: row.unit,
  includeGST: row.includeGst,
  discount: row.discount,
  stock: row.stock,
  shelfPos: row.shelfPos,
  status: row.status,
  description: row.description,
  images: images.map(({ path, width, height, alt }) => ({ path, width, height, alt })),
  box,
})
