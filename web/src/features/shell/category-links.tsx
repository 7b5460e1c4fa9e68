import { titlePath } from '@befaqt/domain/page-paths'
import { CategoryIcon } from '#web/features/catalogue/category-icon.tsx'
import { useCategories } from '#web/root-data.ts'
import { MenuLink } from './menu-links.tsx'
import { PageLink } from './page-link.tsx'

/** Links to every active category, in a row under the navigation bar. */
export function CategoryRow() {
  const { categories, categoriesError } = useCategories()
  if (categoriesError) return <p className="py-2 text-lamp">Error: {categoriesError}</p>
  return (
    <ul className="-mx-3 flex flex-wrap">
      {categories?.map((category) => (
        <li key={category._id}>
          <PageLink
            to={`/category/${titlePath(category.title)}`}
            className="flex min-h-11 items-center gap-2 px-3 text-mist text-sm hover:text-on-night aria-[current=page]:text-lamp"
          >
            <CategoryIcon icon={category.icon} className="size-5" />
            {category.title}
          </PageLink>
        </li>
      ))}
    </ul>
  )
}

/** The same links as entries of the phone's menu. */
export function CategoryMenuLinks() {
  const { categories, categoriesError } = useCategories()
  if (categoriesError) return <li className="px-4 py-2 text-bad">Error: {categoriesError}</li>
  return categories?.map((category) => (
    <li key={category._id}>
      <MenuLink to={`/category/${titlePath(category.title)}`}>
        <CategoryIcon icon={category.icon} className="size-5 text-teal" />
        <span className="min-w-0 wrap-anywhere">{category.title}</span>
      </MenuLink>
    </li>
  ))
}
