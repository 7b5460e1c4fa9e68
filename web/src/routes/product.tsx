import type { Site } from '@befaqt/domain/api/site-api'
import type { ProductWindow } from '@befaqt/domain/catalogue'
import { readFilter } from '@befaqt/domain/product-filter'
import { useLoaderData, useSearchParams } from 'react-router'
import { isFiltered, listTitle, ProductList } from '#web/features/catalogue/product-list.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { pageSuffix, partLinks } from '#web/head/list-head.ts'
import { PageHead } from '#web/head/page-head.tsx'

/** Filtered and sorted lists are known by the whole one. */
const describe = (site: Site, found: ProductWindow, q: string, isWhole: boolean): Head => ({
  title: `${listTitle(q)}${pageSuffix(found)}`,
  description: `Everything on sale at ${site.market.name} today: search it, sort it by freshness or price, and see where each box was caught.`,
  ...(isWhole ? partLinks('/product', found) : { canonical: '/product' }),
  jsonLd: [breadcrumbs(site, [['Products', '/product']])],
})

export default function Products() {
  const found = useLoaderData<ProductWindow>()
  const [params] = useSearchParams()
  const filter = readFilter(params)
  const isWhole = !isFiltered(found, filter) && filter.sort === 'shelf'
  return (
    <>
      <PageHead describe={(site) => describe(site, found, filter.q, isWhole)} />
      <ProductList found={found} />
    </>
  )
}
