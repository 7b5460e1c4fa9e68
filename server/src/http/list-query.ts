import { Status } from '@befaqt/domain/fields'
import { MAX_PAGE, MAX_SEARCH } from '@befaqt/domain/limits'
import { z } from 'zod'

const whole = (max: number) => z.coerce.number().int('must be a whole number').min(1).max(max)

/** Filters, sorting and paging of managers' lists. Without any of them a list is complete, as the specification has it. */
export const ListQuery = z.object({
  page: whole(MAX_PAGE).optional().describe('from 1'),
  size: whole(200).optional().describe('rows of a page'),
  q: z
    .string()
    .max(MAX_SEARCH)
    .optional()
    .describe('search words, all of which must match; case and accents are ignored'),
  status: Status.optional(),
  category: z.string().max(64).optional().describe('category id, for products'),
  draft: z.literal('1').optional().describe('only INACTIVE products that were never ACTIVE'),
  sort: z.string().max(30).optional().describe('column to sort by'),
  dir: z.enum(['asc', 'desc']).optional(),
})
export type ListQuery = z.infer<typeof ListQuery>

export const hasFilters = (query: ListQuery): boolean =>
  Object.values(query).some((value) => value !== undefined)

/** Limit and offset; 50 rows a page by default. */
export function pageOf({ page = 1, size = 50 }: Pick<ListQuery, 'page' | 'size'>): {
  page: number
  size: number
  offset: number
} {
  return { page, size, offset: (page - 1) * size }
}
