import type { CategoryView } from '@befaqt/domain/catalogue'
import { titlePath } from '@befaqt/domain/title-path'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { type CardProduct, cardOf } from '#web/features/catalogue/card-product.ts'
import { CategoryPage } from '#web/features/catalogue/category-page.tsx'
import type { Describe } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/structured-data.ts'

type Data = { category: CategoryView; products: CardProduct[] }

export async function loader({ params, context }: LoaderFunctionArgs): Promise<Data> {
  const api = context.get(shopApi)
  const category = await api.categoryByTitle(params.catTitle ?? '')
  return { category, products: (await api.productsByCategory(category._id)).map(cardOf) }
}

export const head: Describe<Data> = ({ category }, site) => {
  const path = `/category/${titlePath(category.title)}`
  return {
    title: category.title,
    description: category.description || `${category.title} on sale at ${site.market.name}.`,
    canonical: path,
    ...(category.image && { image: `/api/file/${category.image.path}` }),
    jsonLd: [
      breadcrumbs(site, [
        ['Categories', '/category'],
        [category.title, path],
      ]),
    ],
  }
}

export default function Category() {
  return <CategoryPage {...useLoaderData<Data>()} />
}
