import type { ContentPage, Site } from '@befaqt/domain/api/site-api'
import { useLoaderData } from 'react-router'
import { HydrationBoundary } from '#web/components/hydration.tsx'
import { HomeProducts } from '#web/features/home/home-products.tsx'
import { Landing } from '#web/features/home/landing.tsx'
import { ShopHead } from '#web/features/home/shop-head.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { organization, shopSearch } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'
import type { HomeData } from '#web/loaders/shop-loaders.ts'
import { useSite } from '#web/root-data.ts'

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
      <Landing site={site} html={landing.html} />
      <HydrationBoundary>
        <HomeProducts products={products} />
      </HydrationBoundary>
    </>
  )
}
