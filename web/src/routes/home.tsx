import { readProductsOnSale } from '@befaqt/domain/api/endpoints/catalogue'
import { readContent } from '@befaqt/domain/api/endpoints/site'
import type { ContentPage, Site } from '@befaqt/domain/api/site-api'
import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { type Part, readPart } from '#web/api/part.ts'
import { HydrationBoundary } from '#web/components/hydration.tsx'
import { type CardProduct, cardOf } from '#web/features/catalogue/card-product.ts'
import { HomeProducts } from '#web/features/home/home-products.tsx'
import { Landing } from '#web/features/home/landing.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { organization, shopSearch } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'
import { useSite } from '#web/root-data.ts'

type Data = { products: Part<CardProduct[]>; landing: ContentPage }

/** Without the products the landing page is shown all the same, as a failed page that nobody keeps. */
export async function loader({ context }: LoaderFunctionArgs) {
  const call = context.get(shopApi)
  const [products, landing] = await Promise.all([
    readPart(context, async () => (await call(readProductsOnSale)).map(cardOf)),
    call(readContent, { params: { '*': 'landing' } }),
  ])
  const page: Data = { products, landing }
  return products.error === null ? page : data(page, { status: 503 })
}

const describe = (landing: ContentPage, site: Site): Head => ({
  description: landing.description || site.fullName,
  canonical: '/',
  jsonLd: [organization(site), shopSearch(site)],
})

export default function Home() {
  const { products, landing } = useLoaderData<Data>()
  const site = useSite()
  if (!site) return null
  return (
    <>
      <PageHead describe={(site) => describe(landing, site)} />
      <Landing site={site} html={landing.html} />
      <HydrationBoundary>
        <HomeProducts products={products} />
      </HydrationBoundary>
    </>
  )
}
