import type { Site } from '@befaqt/domain/api/site-api'
import type { ProductView } from '@befaqt/domain/catalogue'
import { productPath } from '@befaqt/domain/page-paths'
import { useLoaderData } from 'react-router'
import { fileUrl } from '#web/api/file-url.ts'
import { ProductPage } from '#web/features/catalogue/product-page.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs, productThing } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'

const describe = (product: ProductView, site: Site): Head => {
  const path = productPath(product._id)
  const [image] = product.images
  return {
    title: product.title,
    description: product.description || `${product.title} from ${site.market.name}.`,
    canonical: path,
    ...(image && { image: fileUrl(image.path) }),
    jsonLd: [
      productThing(site, product),
      breadcrumbs(site, [
        ['Products', '/product'],
        [product.title, path],
      ]),
    ],
  }
}

export default function Product() {
  const product = useLoaderData<ProductView>()
  return (
    <>
      <PageHead describe={(site) => describe(product, site)} />
      <ProductPage key={product._id} product={product} />
    </>
  )
}
