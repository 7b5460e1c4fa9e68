import type { ProductView } from '@befaqt/domain/catalogue'
import { boxPath } from '@befaqt/domain/page-paths'
import { titleKey } from '@befaqt/domain/title-path'
import { Link, useSearchParams } from 'react-router'
import { looksLikeBoxNumber } from '#web/features/box/find/box-number.ts'
import { useCategories } from '#web/root-data.ts'
import { useAsOf } from '#web/time/today.ts'
import { cardOf } from './card-product.ts'
import { FilterForm } from './filter-form.tsx'
import { filterProducts, isNarrowed, readFilter } from './product-filter.ts'
import { ProductGrid } from './product-grid.tsx'

/** @param q what was searched for, which may be the number of a box */
function NothingFound({ q }: { q: string }) {
  return (
    <div className="rounded-lg bg-ice p-8">
      <h3 className="text-2xl">Nothing like that on the slab</h3>
      <p className="mt-2 text-slate">Try fewer words, a wider price range, or another kind of seafood.</p>
      {looksLikeBoxNumber(q) && (
        <Link to={boxPath(q)} className="link mt-3 mr-6 inline-flex min-h-11 items-center font-semibold">
          Check box {q}
        </Link>
      )}
      <Link to="/product" className="link mt-3 inline-flex min-h-11 items-center font-semibold">
        Clear all filters
      </Link>
    </div>
  )
}

/** All products with search, filters and sorting, which are in the URL. */
export function ProductList({ products }: { products: ProductView[] }) {
  const [params] = useSearchParams()
  const { categories } = useCategories()
  const filter = readFilter(params)
  const category = categories?.find(({ title }) => titleKey(title) === filter.category)
  const now = useAsOf(products.map(({ box }) => box))
  const shown = filterProducts(products, filter, category?._id ?? null, now)
  return (
    <div className="wrap grid gap-x-12 gap-y-6 pt-10 sm:pt-14 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <h1 className="text-4xl sm:text-5xl lg:col-span-2">All products</h1>
      <FilterForm filter={filter} />
      <section aria-labelledby="found">
        <h2 id="found" className="sr-only">
          Products found
        </h2>
        <div className="mb-6 flex min-h-11 flex-wrap items-center justify-between gap-x-6">
          <p role="status" className="text-slate">
            {shown.length === products.length
              ? `${products.length} products`
              : `${shown.length} of ${products.length} products`}
          </p>
          {isNarrowed(filter) && (
            <Link to="/product" preventScrollReset className="link inline-flex min-h-11 items-center">
              Clear all filters
            </Link>
          )}
        </div>
        {shown.length === 0 ? (
          <NothingFound q={filter.q} />
        ) : (
          <ProductGrid products={shown.map(cardOf)} narrow eager={4} />
        )}
      </section>
    </div>
  )
}
