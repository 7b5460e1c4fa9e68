import type { Site } from '@befaqt/domain/api/site-api'
import { CategoryGridOrError } from '#web/features/catalogue/category-grid.tsx'
import type { Head } from '#web/head/head-tags.ts'
import { breadcrumbs } from '#web/head/json-ld.ts'
import { PageHead } from '#web/head/page-head.tsx'
import { useCategories } from '#web/root-data.ts'

const describe = (site: Site): Head => ({
  title: 'Seafood categories',
  description:
    'Every kind of seafood on the market today, from whole fish to oysters, with the history of its box.',
  canonical: '/category',
  jsonLd: [breadcrumbs(site, [['Categories', '/category']])],
})

export default function Categories() {
  const { categories, categoriesError } = useCategories()
  return (
    <div className="wrap pt-10 sm:pt-14">
      <PageHead describe={describe} />
      <h1 className="mb-10 page-title">Seafood Categories</h1>
      <h2 className="sr-only">All categories</h2>
      <CategoryGridOrError categories={categories} error={categoriesError} />
    </div>
  )
}
