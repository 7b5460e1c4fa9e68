import type { Site } from '@befaqt/domain/api/site-api'
import type { ProductView } from '@befaqt/domain/catalogue'
import { salePrice } from '@befaqt/domain/money'
import { productPath } from '@befaqt/domain/page-paths'
import { fileUrl } from '#web/api/file-url.ts'
import { absolute } from './head-tags.ts'

/** schema.org objects of the pages, every URL absolute. Fields: schema.org/Product, /BreadcrumbList, … */
type Thing = { '@type': string } & Record<string, unknown>

export const organization = (site: Site): Thing => ({
  '@type': 'Organization',
  name: site.name,
  alternateName: site.fullName,
  url: absolute(site, '/'),
  logo: absolute(site, '/icon-512.png'),
})

export const shopSearch = (site: Site): Thing => ({
  '@type': 'WebSite',
  name: site.name,
  url: absolute(site, '/'),
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${absolute(site, '/product')}?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
})

/** The way to a page, from the home page on; the last entry is the page itself. */
export const breadcrumbs = (site: Site, way: readonly (readonly [name: string, path: string])[]): Thing => ({
  '@type': 'BreadcrumbList',
  itemListElement: [['Home', '/'] as const, ...way].map(([name, path], index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: absolute(site, path),
  })),
})

/** A product with its offer at the price after discount. */
export const productThing = (site: Site, product: ProductView): Thing => ({
  '@type': 'Product',
  name: product.title,
  description: product.description || product.title,
  sku: product._id,
  image: product.images.map((image) => absolute(site, fileUrl(image.path))),
  offers: {
    '@type': 'Offer',
    url: absolute(site, productPath(product._id)),
    price: (salePrice(product) / 100).toFixed(2),
    priceCurrency: 'AUD',
    availability: `https://schema.org/${product.stock > 0 ? 'InStock' : 'OutOfStock'}`,
  },
})
