import { titlePath } from '@befaqt/domain/page-paths'
import { mayAtDesk, worksAtDesk } from '@befaqt/domain/rights'
import type { ComponentProps, ReactNode } from 'react'
import { useLocation } from 'react-router'
import { CategoryIcon } from '#web/features/catalogue/category-icon.tsx'
import { useCategories, useViewer } from '#web/root-data.ts'
import { isCurrentPage } from './paths.ts'

/** Where a box is checked by its number, code or proof. */
export const checkLink = '/SFMBox/check'

export const aboutLinks = [
  ['/about/project', 'Project'],
  ['/about/tech', 'Technologies'],
  ['/about/us', 'Team'],
] as const

const manageLinks = [
  ['/manage/order', 'Manage Order', 'order:read'],
  ['/manage/slot', 'Manage Slot', 'order:write'],
  ['/manage/user', 'Manage User', 'user:write'],
  ['/manage/category', 'Manage Category', 'shop:write'],
  ['/manage/product', 'Manage Product', 'shop:write'],
  ['/manage/box', 'Manage Box', 'box:write'],
] as const

/** The entries of the menu Manage for whoever works at the desk; none for others. Source: spec §2. */
export function useManageLinks(): readonly (readonly [to: string, label: string])[] {
  const viewer = useViewer()
  const own = manageLinks
    .filter(([, , right]) => mayAtDesk(viewer, right))
    .map(([to, label]) => [to, label] as const)
  return own.length === 0 && worksAtDesk(viewer) ? [['/manage', 'Today']] : own
}

export const accountLinks = [
  ['/user/profile', 'My Profile'],
  ['/user/order', 'My Orders'],
] as const

/** Classes of an entry that fills its menu's width. */
export const menuItem =
  'flex min-h-11 w-full items-center gap-3 px-4 py-2 text-left hover:bg-ice aria-[current=page]:font-semibold aria-[current=page]:text-teal'

/** One entry of a menu. */
export function MenuLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <PageLink to={to} end className={menuItem}>
      {children}
    </PageLink>
  )
}

/** Entries of a menu from a table of URLs and labels. */
export function MenuLinks({ links }: { links: readonly (readonly [to: string, label: string])[] }) {
  return links.map(([to, label]) => (
    <li key={to}>
      <MenuLink to={to}>{label}</MenuLink>
    </li>
  ))
}

type Props = ComponentProps<'a'> & {
  /** Path of the page, with its query. */
  to: string
  /** Pages below it are other pages. */
  end?: boolean
}

/**
 * A link of the frame around every page, that says whether its page is the one that is shown. Followed by `FollowLinks`:
 * the router's own links would take an eighth of the time that the server needs for a page.
 */
export function PageLink({ to, end = false, ...rest }: Props) {
  const { pathname } = useLocation()
  return <a href={to} aria-current={isCurrentPage(to, pathname, end) ? 'page' : undefined} {...rest} />
}

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
