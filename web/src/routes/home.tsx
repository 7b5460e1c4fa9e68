import type { NextSlot } from '@befaqt/domain/api/order-api'
import type { ContentPage, Site } from '@befaqt/domain/api/site-api'
import type { ProductWindow } from '@befaqt/domain/catalogue'
import { momentOf, momentText, slotHours } from '@befaqt/domain/moment-text'
import { titlePath } from '@befaqt/domain/page-paths'
import { useLoaderData } from 'react-router'
import type { Part } from '#web/api/part.ts'
import { AfterHead } from '#web/components/after-head.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { HydrationBoundary } from '#web/components/hydration.tsx'
import { LoadFailure } from '#web/components/load-failure.tsx'
import { CategoryIcon } from '#web/features/catalogue/category-icon.tsx'
import { ProductGrid } from '#web/features/catalogue/product-grid.tsx'
import { Landing } from '#web/features/home/landing.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { organization, shopSearch } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'
import type { HomeData } from '#web/loaders/shop-loaders.ts'
import { useCategories, useSite } from '#web/root-data.ts'
import { daysAway, useNow, useToday } from '#web/time/today.ts'

const describe = (landing: ContentPage, site: Site): Head => ({
  description: landing.description || site.fullName,
  canonical: '/',
  jsonLd: [organization(site), shopSearch(site)],
})

export default function Home() {
  const { products, ...head } = useLoaderData<HomeData>()
  const { landing } = head
  const site = useSite()
  if (!site) return null
  return (
    <>
      <PageHead describe={(site) => describe(landing, site)} />
      <ShopHead {...head} />
      <AfterHead>
        <Landing site={site} html={landing.html} />
        <HydrationBoundary>
          <HomeProducts products={products} />
        </HydrationBoundary>
      </AfterHead>
    </>
  )
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
function ShopHead({ landing, freshest, slots }: Omit<HomeData, 'products'>) {
  return (
    <div className="wrap grid gap-3 pt-4 pb-5 sm:gap-8 lg:pt-8 lg:pb-12">
      <h1 className="max-w-4xl text-2xl sm:text-3xl lg:text-5xl">{landing.title}</h1>
      <HydrationBoundary>
        {freshest.value?.length ? (
          <section aria-labelledby="freshest">
            <h2 id="freshest" className="mb-3 text-2xl sm:mb-5">
              Freshest today <span className="muted sm:hidden">by the shop’s own word</span>
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

type TimeProps = { slot: NextSlot; today: string }

/** 'Today, 4:00 pm to 6:00 pm', and until when it can be chosen. */
function Time({ slot, today }: TimeProps) {
  const { startsAt, cutOffAt, timeZone } = slot
  const [start, cutOff] = [momentOf(startsAt, timeZone), momentOf(cutOffAt, timeZone)]
  const away = start && daysAway(today, start.date)
  const isNear = away === 'today' || away === 'tomorrow'
  return (
    <>
      <b className="inline-block font-semibold first-letter:uppercase">
        {isNear ? away : start?.day}, {slotHours(slot)}
      </b>{' '}
      <span className="text-slate">
        order until {cutOff?.date === today ? cutOff.clock : momentText(cutOffAt, timeZone)}
      </span>
    </>
  )
}

/**
 * The next time of each kind, as of now: once its cut-off is past, the one after it, also on a page that stays open.
 * @param slots the next ones of each kind, the earliest first
 */
function NextTimes({ slots }: { slots: readonly NextSlot[] }) {
  const site = useSite()
  const now = useNow(site?.asOf ?? '')
  const today = useToday()
  if (slots.length === 0) return <p>No time for pick-up or delivery is open just now.</p>
  return (
    <dl className="grid gap-x-8 gap-y-2 max-sm:text-sm sm:grid-cols-2">
      {[...Map.groupBy(slots, ({ kind }) => kind)].map(([kind, own]) => {
        const next = own.find(({ cutOffAt }) => Date.parse(cutOffAt ?? '') > now)
        const to = next?.postcodes ? ` to ${next.postcodes} postcodes` : ''
        return (
          <div key={kind}>
            <dt className="text-slate">
              {kind === 'pickup'
                ? `Pick-up at ${site?.pickUp.name}`
                : `Delivery${to}, ${site?.deliveryFees ? 'for a fee by area' : 'at no charge'}`}
            </dt>
            <dd>{next ? <Time slot={next} today={today} /> : 'The checkout shows the next time.'}</dd>
          </div>
        )
      })}
    </dl>
  )
}

type Props = { products: Part<ProductWindow> }

function Shelf({ products: { value, error } }: Props) {
  if (value === null) return <LoadFailure what="products" message={error} />
  if (value.total === 0)
    return (
      <p className="text-lg text-slate">
        Nothing is on the slab right now. Look in again after the next auction.
      </p>
    )
  return (
    <>
      <ProductGrid
        products={value.rows}
        columns="cards-in-brief grid-cols-2 gap-y-3 sm:gap-y-10 md:grid-cols-3 xl:grid-cols-4"
      />
      {value.total > value.rows.length && (
        <p className="mt-4 sm:mt-8">
          <ButtonLink to="/product">All {value.total.toLocaleString('en-AU')} products</ButtonLink>
        </p>
      )}
    </>
  )
}

/** The first active products under the landing page, with the way to all of them. Source: spec §2, product.md. */
function HomeProducts(props: Props) {
  return (
    <section aria-labelledby="products" className="wrap pt-6 sm:pt-8 lg:pt-20">
      <h2 id="products" className="mb-3 text-3xl sm:mb-4 lg:mb-8 lg:text-4xl">
        Seafood Products
      </h2>
      <Shelf {...props} />
    </section>
  )
}
