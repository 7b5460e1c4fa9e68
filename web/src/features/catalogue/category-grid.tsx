import type { CategoryView } from '@befaqt/domain/catalogue'
import { titlePath } from '@befaqt/domain/page-paths'
import { CachedFragment } from '#web/components/cached-fragment.tsx'
import { LoadFailure } from '#web/components/load-failure.tsx'
import { Picture } from '#web/components/picture.tsx'
import { CategoryIcon } from './category-icon.tsx'

/** Categories in 1, 2 or 3 columns. Source: spec §2. */
function CategoryGrid({ categories }: { categories: CategoryView[] }) {
  if (categories.length === 0) return <p className="text-slate">No categories are open today.</p>
  return (
    <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2 sm:gap-y-10 lg:grid-cols-3">
      {categories.map((category) => (
        <CachedFragment key={category._id} of={category} variant="">
          <CategoryCard category={category} />
        </CachedFragment>
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

/** Picture, icon with title, and description of a category; the whole card leads to it. On a phone side by side. */
function CategoryCard({ category }: { category: CategoryView }) {
  return (
    <article className="group/card relative grid grid-cols-[5rem_minmax(0,1fr)] items-center gap-x-4 gap-y-3 sm:grid-cols-1">
      <div className="aspect-3/2 overflow-hidden rounded-lg bg-ice">
        {category.image && (
          <Picture
            image={category.image}
            alt=""
            sizes="(min-width: 62rem) 26rem, (min-width: 36rem) 50vw, 5rem"
            className="size-full object-cover transition-transform duration-500 group-hover/card:scale-[1.03]"
          />
        )}
      </div>
      <div>
        <h3 className="flex items-center gap-2 text-lg max-sm:leading-tight sm:text-2xl">
          <CategoryIcon icon={category.icon} className="size-6 text-teal sm:size-7" />
          <a
            href={`/category/${titlePath(category.title)}`}
            className="after:absolute after:inset-0 group-hover/card:text-teal group-hover/card:underline"
          >
            {category.title}
          </a>
        </h3>
        <p className="text-slate max-sm:line-clamp-2 max-sm:text-sm max-sm:leading-snug sm:mt-2">
          {category.description}
        </p>
      </div>
    </article>
  )
}
