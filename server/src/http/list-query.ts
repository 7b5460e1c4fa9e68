import { PlaceText } from '@befaqt/domain/api/box-api'
import { Status } from '@befaqt/domain/fields'
import { MAX_PAGE, MAX_SEARCH } from '@befaqt/domain/limits'
import { LIST_END, MAX_LISTED } from '@befaqt/domain/list-place'
import { z } from 'zod'

const whole = (max: number) => z.coerce.number().int('must be a whole number').min(1).max(max)

/** Filters, sorting and paging of managers' lists. Without any of them a list is complete, as the specification has it. */
export const ListQuery = z.object({
  page: whole(MAX_PAGE).optional().describe(`from 1, as far as row ${MAX_LISTED}`),
  size: whole(200).optional().describe('rows of a page'),
  after: PlaceText.optional().describe('what follows this `next` of an answer, in the same order and filter'),
  before: PlaceText.optional().describe(
    `what precedes this \`prev\` of an answer; ${LIST_END}: the last rows`,
  ),
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

/** Which part of a list is asked for, as `ListQuery.pick` takes it. */
export const PLACE = { page: true, size: true, after: true, before: true } as const

export const hasFilters = (query: ListQuery): boolean =>
  Object.values(query).some((value) => value !== undefined)
