import { readCategoryByTitle, readProductsOfCategory } from '@befaqt/domain/api/endpoints/catalogue'
import type { Site } from '@befaqt/domain/api/site-api'
import type { CategoryView } from '@befaqt/domain/catalogue'
import { titlePath } from '@befaqt/domain/title-path'
import { data, type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { fileUrl } from '#web/api/file-url.ts'
import { type Part, readPart } from '#web/api/part.ts'
import { type CardProduct, cardOf } from '#web/features/catalogue/card-product.ts'
import { CategoryPage } from '#web/features/catalogue/category-page.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'

type Data = { category: CategoryView; products: Part<CardProduct[]> }

/** Without its products a category is shown all the same, as a failed page that nobody keeps. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const call = context.get(shopApi)
  const category = await call(readCategoryByTitle, { params: { catTitle: params.catTitle ?? '' } })
  const products = await readPart(context, async () =>
    (await call(readProductsOfCategory, { params: { id: category._id } })).map(cardOf),
  )
  const page: Data = { category, products }
  return products.error === null ? page : data(page, { status: 503 })
}

const describe = (category: CategoryView, site: Site): Head => {
  const path = `/category/${titlePath(category.title)}`
  return {
    title: category.title,
    description: category.description || `${category.title} on sale at ${site.market.name}.`,
    canonical: path,
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
  const { category, products } = useLoaderData<Data>()
  return (
    <>
      <PageHead describe={(site) => describe(category, site)} />
      <CategoryPage category={category} products={products} />
    </>
  )
}
