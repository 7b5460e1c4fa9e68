import type { Site } from '@befaqt/domain/api/site-api'
import type { ProductView } from '@befaqt/domain/catalogue'
import { useLoaderData } from 'react-router'
import { ProductList } from '#web/features/catalogue/product-list.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'

const describe = (site: Site): Head => ({
  title: 'All products',
  description: `Everything on sale at ${site.market.name} today: search it, sort it by freshness or price, and see where each box was caught.`,
  canonical: '/product',
  jsonLd: [breadcrumbs(site, [['Products', '/product']])],
})

export default function Products() {
  return (
    <>
      <PageHead describe={describe} />
      <ProductList products={useLoaderData<ProductView[]>()} />
    </>
  )
}
