import { readProductsOnSale } from '@befaqt/domain/api/endpoints/catalogue'
import type { Site } from '@befaqt/domain/api/site-api'
import type { ProductView } from '@befaqt/domain/catalogue'
import { boxPath } from '@befaqt/domain/page-paths'
import {
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { isBoxNumber } from '#web/features/box/find/box-number.ts'
import { ProductList } from '#web/features/catalogue/product-list.tsx'
import { withoutBlank } from '#web/forms/asked.ts'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'

const searched = (url: URL | string): string => new URL(url).searchParams.get('q')?.trim() ?? ''

/** A search that can only be for a box leads to its page, one with empty fields to its URL without them. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<ProductView[] | Response> {
  const asked = withoutBlank(new URL(request.url).searchParams)
  if (asked) return redirect(asked.size > 0 ? `/product?${asked}` : '/product')
  const q = searched(request.url)
  return isBoxNumber(q) ? redirect(boxPath(q)) : context.get(shopApi)(readProductsOnSale)
}

/** Filters work on what is here already; only a real reload and what leads elsewhere ask again. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean =>
  currentUrl.href === nextUrl.href ||
  isBoxNumber(searched(nextUrl)) ||
  withoutBlank(nextUrl.searchParams) !== null

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
