import type { CategoryView, ProductFacet, ProductWindow } from '@befaqt/domain/catalogue'
import type { Part } from '#web/api/part.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { LoadFailure } from '#web/components/load-failure.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { Picture } from '#web/components/picture.tsx'
import { pageSuffix } from '#web/head/list-head.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { CategoryIcon } from './category-icon.tsx'
import { Chosen, FilterChips, Filters, isNarrowed } from './filters.tsx'
import { ProductGrid } from './product-grid.tsx'

function CategoryHead({ category }: { category: CategoryView }) {
  return (
    <div className="bleed on-night grid grid-cols-[minmax(0,1fr)] items-center gap-8 bg-night pb-10 text-on-night md:grid-cols-2 md:pb-14 lg:gap-16">
      <div className="max-md:order-2">
        <h1 className="flex items-center gap-4 text-4xl sm:text-5xl lg:text-6xl">
          <CategoryIcon icon={category.icon} className="size-10 text-lamp sm:size-14" />
          {category.title}
        </h1>
        <p className="mt-4 max-w-prose text-lg text-mist">{category.description}</p>
      </div>
      <div className="aspect-3/2 overflow-hidden rounded-lg bg-night-deep">
        {category.image && (
          <Picture
            image={category.image}
            eager
            sizes="(min-width: 84rem) 37rem, (min-width: 48rem) 45vw, 92vw"
            className="size-full object-cover"
          />
        )}
      </div>
    </div>
  )
}

/** The products, with what they can be narrowed by and how many are left. */
function Narrowed({ found, facets }: { found: ProductWindow; facets: ProductFacet[] }) {
  const { rows, total, size } = found
  return (
    <div className="grid gap-x-12 gap-y-6 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <Filters title="Filter">
        <div className="grid gap-5 max-lg:pt-5">
          <FilterChips facets={facets} />
        </div>
      </Filters>
      <div>
        <div className="mb-6 flex min-h-11 flex-wrap items-center justify-between gap-x-6">
          <p role="status" className="text-slate">
            {`${total.toLocaleString('en-AU')} ${total === 1 ? 'product' : 'products'}`}
          </p>
          {isNarrowed(facets) && <Chosen facets={facets} clear="?" />}
        </div>
        {total === 0 && <p className="text-lg text-slate">Nothing of this kind fits what you chose.</p>}
        <div className="grid gap-8">
          <ProductGrid
            products={rows}
            columns="grid-cols-2 gap-y-10 md:grid-cols-3 lg:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-4"
          />
          {total > size && <Pagination {...found} thing="product" things="products" focus />}
        </div>
      </div>
    </div>
  )
}

function OnSale({ products: { value, error } }: { products: Part<ProductWindow> }) {
  if (value === null) return <LoadFailure what="products" message={error} />
  const facets = (value.facets ?? []).filter(({ kind }) => kind !== 'category')
  if (value.total > 0 || isNarrowed(facets)) return <Narrowed found={value} facets={facets} />
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-lg text-slate">Nothing of this kind is on sale today.</p>
      <ButtonLink to="/product">See what is</ButtonLink>
    </div>
  )
}

type Props = { category: CategoryView; products: Part<ProductWindow> }

/**
 * A category's picture, icon, title and description, then its products, or in their place why they can't be shown.
 * Source: spec §2, §8.
 */
export function CategoryPage({ category, products }: Props) {
  return (
    <div className="wrap">
      <div className="bleed on-night bg-night">
        <Breadcrumbs way={[['Categories', '/category']]} here={category.title} />
      </div>
      <CategoryHead category={category} />
      <section aria-labelledby="found" className="pt-12">
        <h2 id="found" tabIndex={-1} className="sr-only">
          {category.title} on sale{products.value && pageSuffix(products.value)}
        </h2>
        <OnSale products={products} />
      </section>
    </div>
  )
}
