import type { Site } from '@befaqt/domain/api/site-api'
import { titlePath } from '@befaqt/domain/title-path'
import { useLoaderData } from 'react-router'
import { fileUrl } from '#web/api/file-url.ts'
import { CategoryPage } from '#web/features/catalogue/category-page.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { pageSuffix, partLinks } from '#web/head/list-head.ts'
import { PageHead } from '#web/head/page-head.tsx'
import type { CategoryData } from '#web/loaders/shop-loaders.ts'

const describe = ({ category, products }: CategoryData, site: Site): Head => {
  const path = `/category/${titlePath(category.title)}`
  return {
    title: category.title + (products.value ? pageSuffix(products.value) : ''),
    description: category.description || `${category.title} on sale at ${site.market.name}.`,
    ...(products.value ? partLinks(path, products.value) : { canonical: path }),
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
  return (
    <>
      <PageHead describe={(site) => describe(data, site)} />
      <CategoryPage {...data} />
    </>
  )
}
