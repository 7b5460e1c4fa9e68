import type { Head } from './head-tags.ts'

type Part = { page: number; size: number; total: number }

/** ', page 2' of a title or heading; nothing on the first. */
export const pageSuffix = ({ page }: Part): string => (page > 1 ? `, page ${page}` : '')

/** The address of one page of a list, of the one before and of the one after. @param path of the first */
export function partLinks(
  path: string,
  { page, size, total }: Part,
): Pick<Head, 'canonical' | 'prev' | 'next'> {
  const at = (page: number): string => (page === 1 ? path : `${path}?page=${page}`)
  return {
    canonical: at(page),
    ...(page > 1 && { prev: at(page - 1) }),
    ...(page * size < total && { next: at(page + 1) }),
  }
}
