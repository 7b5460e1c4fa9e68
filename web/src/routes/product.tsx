import type { Site } from '@befaqt/domain/api/site-api'
import type { ProductWindow } from '@befaqt/domain/catalogue'
import { type ProductFilter, readFilter } from '@befaqt/domain/product-filter'
import { lazy, Suspense } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { Pagination, pageSuffix, partLinks, partText } from '#web/components/pagination.tsx'
import { FilterForm } from '#web/features/catalogue/filter-form.tsx'
import { Chosen, FilterChips, Filters, isNarrowed } from '#web/features/catalogue/filters.tsx'
import { ProductGrid } from '#web/features/catalogue/product-grid.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
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

const nothing = () => import('#web/features/catalogue/nothing-found.tsx')
/** The server has it at once, since it renders without waiting; browsers fetch it when a search finds nothing. */
const NothingFound = import.meta.env.SSR
  ? (await nothing()).default
  : lazy(() => nothing().catch(() => ({ default: () => <></> })))

/** '1,003 products', '7 of 1,003 products', and of what is on several pages '49–96 of 120 found, of 1,003 products'. */
function foundText(found: ProductWindow): string {
  const all = `${found.onSale.toLocaleString('en-AU')} products`
  if (found.total <= found.size)
    return found.total === found.onSale ? all : `${found.total.toLocaleString('en-AU')} of ${all}`
  return found.total === found.onSale ? `${partText(found)} products` : `${partText(found)} found, of ${all}`
}

/** What the list is called: what was searched for, or all. */
const listTitle = (q: string): string => (q === '' ? 'All products' : `Results for “${q}”`)

/** Does the list leave anything out? */
const isFiltered = ({ facets }: ProductWindow, { q, minCents, maxCents }: ProductFilter): boolean =>
  isNarrowed(facets ?? []) || q !== '' || minCents !== null || maxCents !== null

/** One page of the products that search, filters and sorting in the URL ask for. */
function ProductList({ found }: { found: ProductWindow }) {
  const [params] = useSearchParams()
  const filter = readFilter(params)
  return (
    <div className="wrap grid gap-x-12 gap-y-6 pt-10 sm:pt-14 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <h1 className="page-title lg:col-span-2 wrap-anywhere">{listTitle(filter.q)}</h1>
      <Filters title="Filter and sort">
        <div className="grid gap-5 max-lg:pt-5">
          <FilterChips facets={found.facets ?? []} />
          <FilterForm filter={filter} />
        </div>
      </Filters>
      <section aria-labelledby="found">
        <h2 id="found" tabIndex={-1} className="sr-only">
          Products found{pageSuffix(found)}
        </h2>
        <div className="mb-6 flex min-h-11 flex-wrap items-center justify-between gap-x-6">
          <p role="status" className="text-slate">
            {foundText(found)}
          </p>
          {isFiltered(found, filter) && <Chosen facets={found.facets ?? []} clear="/product" />}
        </div>
        {found.search?.said && (
          <p className="mb-6 rounded-lg bg-ice px-4 py-3 wrap-anywhere">{found.search.said}</p>
        )}
        {found.total === 0 ? (
          <Suspense>
            <NothingFound q={filter.q} named={found.search?.named ?? null} />
          </Suspense>
        ) : (
          <div className="grid gap-8">
            <ProductGrid
              products={found.rows}
              columns="grid-cols-2 gap-y-10 md:grid-cols-3 lg:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4"
              eager={4}
            />
            {found.total > found.size && <Pagination {...found} thing="product" things="products" focus />}
          </div>
        )}
      </section>
    </div>
  )
}
