import type { CategoryView } from '@befaqt/domain/catalogue'
import { titlePath } from '@befaqt/domain/title-path'
import { Picture } from '#web/components/picture.tsx'
import { CategoryIcon } from './category-icon.tsx'

/** Picture, icon with title, and description of a category; the whole card leads to it. On a phone side by side. */
export function CategoryCard({ category }: { category: CategoryView }) {
  return (
    <article className="group/card relative grid grid-cols-[38%_minmax(0,1fr)] items-center gap-x-4 gap-y-3 sm:grid-cols-1">
      <div className="aspect-3/2 overflow-hidden rounded-lg bg-ice">
        {category.image && (
          <Picture
            image={category.image}
            alt=""
            sizes="(min-width: 62rem) 26rem, (min-width: 36rem) 50vw, 35vw"
            className="size-full object-cover transition-transform duration-500 group-hover/card:scale-[1.03]"
          />
        )}
      </div>
      <div>
        <h3 className="flex items-center gap-2 text-xl sm:text-2xl">
          <CategoryIcon icon={category.icon} className="size-6 text-teal sm:size-7" />
          <a
            href={`/category/${titlePath(category.title)}`}
            className="after:absolute after:inset-0 group-hover/card:text-teal group-hover/card:underline"
          >
            {category.title}
          </a>
        </h3>
        <p className="mt-1 text-slate max-sm:text-sm sm:mt-2">{category.description}</p>
      </div>
    </article>
  )
}
