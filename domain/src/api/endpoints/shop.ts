import type {
  CategoryView,
  ProductCard,
  ProductDetail,
  ProductSuggestions,
  ProductView,
  ProductWindow,
  RelatedProducts,
} from '../../catalogue.ts'
import type { ShelfQuery } from '../../product-filter.ts'
import { endpoint, types } from '../endpoint.ts'
import type { ContentPage, Site, Viewer } from '../site-api.ts'

/* What everybody reads: the site, its catalogue, the description of this API. */

export const readSite = endpoint('GET', '/api/site', types<{ response: Site }>)
export const readViewer = endpoint('GET', '/api/viewer', types<{ response: Viewer }>)
export const readContent = endpoint('GET', '/api/content/*', types<{ response: ContentPage }>)
export const readRobots = endpoint('GET', '/robots.txt')
export const readSitemap = endpoint('GET', '/sitemap.xml')

export const readProductsOnSale = endpoint('GET', '/api/product/active', types<{ response: ProductView[] }>)
export const listProductsOnSale = endpoint(
  'GET',
  '/api/product/onSale',
  types<{ query: ShelfQuery; response: ProductWindow }>,
)
export const listFreshestToday = endpoint('GET', '/api/product/freshest', types<{ response: ProductCard[] }>)
export const suggestProducts = endpoint(
  'GET',
  '/api/product/suggestions',
  types<{ query: { q: string }; response: ProductSuggestions }>,
)
export const readProductsByIds = endpoint(
  'GET',
  '/api/product/byIds',
  types<{ query: { ids: string }; response: ProductView[] }>,
)
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
export const readProduct = endpoint('GET', '/api/product/:id', types<{ response: ProductDetail }>)

export const listRelated = endpoint('GET', '/api/product/:id/related', types<{ response: RelatedProducts[] }>)

export const readOpenApi = endpoint('GET', '/api/openapi.json')
export const readDocs = endpoint('GET', '/api/docs')

export const geocode = endpoint('GET', '/api/geocode')
