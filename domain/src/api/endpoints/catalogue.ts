import type { CategoryView, ProductView } from '../../catalogue.ts'
import { endpoint, types } from '../endpoint.ts'

export const readProductsOnSale = endpoint('GET', '/api/product/active', types<{ response: ProductView[] }>)
export const readCategoriesOnSale = endpoint(
  'GET',
  '/api/category/active',
  types<{ response: CategoryView[] }>,
)
export const readCategoryByTitle = endpoint(
  'GET',
  '/api/category/byTitle/:catTitle',
  types<{ response: CategoryView }>,
)
export const readProductsOfCategory = endpoint(
  'GET',
  '/api/product/byCategory/:id',
  types<{ response: ProductView[] }>,
)
export const readProduct = endpoint('GET', '/api/product/:id', types<{ response: ProductView }>)
