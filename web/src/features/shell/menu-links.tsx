import type { ReactNode } from 'react'
import { PageLink } from './page-link.tsx'

/** Where a box is checked by its number, code or proof. */
export const checkLink = '/SFMBox/check'

export const aboutLinks = [
  ['/about/project', 'Project'],
  ['/about/tech', 'Technologies'],
  ['/about/us', 'Team'],
] as const

export const manageLinks = [
  ['/manage/order', 'Manage Order'],
  ['/manage/slot', 'Manage Slot'],
  ['/manage/user', 'Manage User'],
  ['/manage/category', 'Manage Category'],
  ['/manage/product', 'Manage Product'],
  ['/manage/box', 'Manage Box'],
] as const

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
