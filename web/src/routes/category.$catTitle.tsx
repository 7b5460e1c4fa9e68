import type { Site } from '@befaqt/domain/api/site-api'
import { titlePath } from '@befaqt/domain/page-paths'
import { useLoaderData, useSearchParams } from 'react-router'
import { fileUrl } from '#web/api/file-url.ts'
import { CategoryPage } from '#web/features/catalogue/category-page.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { pageSuffix, partLinks } from '#web/head/list-head.ts'
import { PageHead } from '#web/head/page-head.tsx'
import { choicesIn } from '#web/features/catalogue/list-address.ts'
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
