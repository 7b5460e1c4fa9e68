import type { Site } from '@befaqt/domain/api/site-api'
import type { CategoryView, ProductFacet, ProductWindow } from '@befaqt/domain/catalogue'
import { titlePath } from '@befaqt/domain/page-paths'
import { useLoaderData, useSearchParams } from 'react-router'
import { fileUrl } from '#web/api/file-url.ts'
import type { Part } from '#web/api/part.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { LoadFailure } from '#web/components/load-failure.tsx'
import { Pagination, pageSuffix, partLinks } from '#web/components/pagination.tsx'
import { Picture } from '#web/components/picture.tsx'
import { Breadcrumbs } from '#web/features/catalogue/breadcrumbs.tsx'
import { CategoryIcon } from '#web/features/catalogue/category-icon.tsx'
import { Chosen, FilterChips, Filters, isNarrowed } from '#web/features/catalogue/filters.tsx'
import { choicesIn } from '#web/features/catalogue/list-address.ts'
import { ProductGrid } from '#web/features/catalogue/product-grid.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'
import type { CategoryData } from '#web/loaders/shop-loaders.ts'

/** A narrowed list is known by the whole one. */
const describe = ({ category, products }: CategoryData, site: Site, isWhole: boolean): Head => {
  const path = `/category/${titlePath(category.title)}`
  return {
    title: category.title + (products.value ? pageSuffix(products.value) : ''),
    description: category.description || `${category.title} on sale at ${site.market.name}.`,
    ...(products.value && isWhole ? partLinks(path, products.value) : { canonical: path }),
    ...(category.image && { image: fileUrl(category.image.path) }),
    jsonLd: [
      breadcrumbs(site, [
        ['Categories', '/category'],
        [category.title, path],
      ]),
    ],
  }
}

export default function Category() {
  const data = useLoaderData<CategoryData>()
  const [params] = useSearchParams()
  const isWhole = choicesIn(params).length === 0
  return (
    <>
      <PageHead describe={(site) => describe(data, site, isWhole)} />
      <CategoryPage {...data} />
    </>
  )
}

function CategoryHead({ category }: { category: CategoryView }) {
  return (
    <div className="bleed on-night grid grid-cols-[minmax(0,1fr)] items-center gap-x-8 gap-y-4 bg-night pb-5 text-on-night md:grid-cols-2 md:pb-14 lg:gap-16">
      <div className="max-md:order-2">
        <h1 className="flex items-center gap-4 page-title lg:text-6xl">
          <CategoryIcon icon={category.icon} className="size-10 text-lamp sm:size-14" />
          {category.title}
        </h1>
        <p className="mt-2 max-w-prose text-mist md:mt-4 md:text-lg">{category.description}</p>
      </div>
      <div className="aspect-3/1 overflow-hidden rounded-lg bg-night-deep md:aspect-3/2">
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
function CategoryPage({ category, products }: Props) {
  return (
    <div className="wrap">
      <div className="bleed on-night bg-night">
        <Breadcrumbs way={[['Categories', '/category']]} here={category.title} />
      </div>
      <CategoryHead category={category} />
      <section aria-labelledby="found" className="pt-6 md:pt-12">
        <h2 id="found" tabIndex={-1} className="sr-only">
          {category.title} on sale{products.value && pageSuffix(products.value)}
        </h2>
        <OnSale products={products} />
      </section>
    </div>
  )
}
