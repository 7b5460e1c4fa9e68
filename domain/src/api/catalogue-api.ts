import type { CategoryView, ProductView } from '../catalogue.ts'

/** Read access to the catalogue for pages. Failures are `ShopError`s. Source: spec §7. */
export interface CatalogueApi {
  productsActive(): Promise<ProductView[]>
  categoriesActive(): Promise<CategoryView[]>
  /** @throws ShopError `category.not_found` */
  categoryByTitle(title: string): Promise<CategoryView>
  productsByCategory(categoryId: string): Promise<ProductView[]>
  /** @throws ShopError `product.not_found` */
  product(id: string): Promise<ProductView>
}
