import type { CategoryView } from '@befaqt/domain/catalogue'
import { LoadFailure } from '#web/components/load-failure.tsx'
import { CategoryCard } from './category-card.tsx'

/** Categories in 1, 2 or 3 columns. Source: spec §2. */
export function CategoryGrid({ categories }: { categories: CategoryView[] }) {
  if (categories.length === 0) return <p className="text-slate">No categories are open today.</p>
  return (
    <ul className="grid gap-x-6 gap-y-6 sm:grid-cols-2 sm:gap-y-10 lg:grid-cols-3">
      {categories.map((category) => (
        <li key={category._id}>
          <CategoryCard category={category} />
        </li>
      ))}
    </ul>
  )
}

type Props = { categories: CategoryView[] | null; error: string | null }

/** The grid, or why it can't be shown. Source: spec §4. */
export function CategoryGridOrError({ categories, error }: Props) {
  if (categories) return <CategoryGrid categories={categories} />
  return <LoadFailure what="categories" message={error ?? ''} />
}
