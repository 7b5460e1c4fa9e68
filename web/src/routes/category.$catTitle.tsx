import type { Site } from '@befaqt/domain/api/site-api'
import type { CategoryView } from '@befaqt/domain/catalogue'
import { titlePath } from '@befaqt/domain/title-path'
import { useLoaderData } from 'react-router'
import { fileUrl } from '#web/api/file-url.ts'
import { CategoryPage } from '#web/features/catalogue/category-page.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'
import type { CategoryData } from '#web/loaders/shop-loaders.ts'

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
  const { category, products } = useLoaderData<CategoryData>()
  return (
    <>
      <PageHead describe={(site) => describe(category, site)} />
      <CategoryPage category={category} products={products} />
    </>
  )
}
