import type { NextSlot } from '@befaqt/domain/api/order-api'
import type { ContentPage } from '@befaqt/domain/api/site-api'
import type { ProductCard } from '@befaqt/domain/catalogue'
import { titlePath } from '@befaqt/domain/page-paths'
import type { Part } from '#web/api/part.ts'
import { HydrationBoundary } from '#web/components/hydration.tsx'
import { CategoryIcon } from '#web/features/catalogue/category-icon.tsx'
import { ProductGrid } from '#web/features/catalogue/product-grid.tsx'
import { useCategories } from '#web/root-data.ts'
import { NextTimes } from './next-times.tsx'

/** What is freshest and the next times are left out where they could not be had. */
export type HomeHead = {
  freshest: Part<ProductCard[]>
  slots: Part<NextSlot[]>
  landing: ContentPage
}

/** On large screens the bar above has them. */
function CategoryChips() {
  const { categories } = useCategories()
  return (
    <ul className="no-print -mx-4 flex gap-2 overflow-x-auto px-4 pb-1 lg:hidden">
      {categories?.map(({ _id, title, icon }) => (
        <li key={_id}>
          <a
            href={`/category/${titlePath(title)}`}
            className="flex min-h-11 items-center gap-2 whitespace-nowrap rounded-md bg-ice px-3 font-semibold text-sm hover:text-teal"
          >
            <CategoryIcon icon={icon} className="size-5 text-teal" />
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** What a shopper comes for: what it is worth, what is freshest today, when one gets it, and which kinds there are. */
export function ShopHead({ landing, freshest, slots }: HomeHead) {
  return (
    <div className="wrap grid gap-4 pt-5 pb-6 sm:gap-8 lg:pt-8 lg:pb-12">
      <h1 className="max-w-4xl text-2xl sm:text-3xl lg:text-5xl">{landing.title}</h1>
      <HydrationBoundary>
        {freshest.value?.length ? (
          <section aria-labelledby="freshest">
            <h2 id="freshest" className="mb-3 text-2xl sm:mb-5">
              Freshest today
            </h2>
            <ProductGrid
              products={freshest.value}
              columns="cards-in-brief cards-as-rows gap-y-3 sm:grid-cols-2 sm:gap-y-8 md:grid-cols-4"
              eager={4}
            />
          </section>
        ) : null}
        {slots.value && <NextTimes slots={slots.value} />}
        <CategoryChips />
      </HydrationBoundary>
    </div>
  )
}
