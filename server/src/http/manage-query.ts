import { Status } from '@befaqt/domain/status'
import { z } from 'zod'

const whole = (most: number) => z.coerce.number().int('must be a whole number').min(1).max(most)

/** What lists of managers are asked for. Without any of it a list answers whole, as the specification has it. */
export const ManageQuery = z.object({
  page: whole(1_000_000).optional().describe('from 1'),
  size: whole(200).optional().describe('rows of a page'),
  q: z.string().max(100).optional().describe('words that all have to be there, accents and case aside'),
  status: Status.optional(),
  category: z.string().max(64).optional().describe('category id, for products'),
  sort: z.string().max(30).optional().describe('column to sort by'),
  dir: z.enum(['asc', 'desc']).optional(),
})
export type ManageQuery = z.infer<typeof ManageQuery>

export const isAsked = (query: ManageQuery): boolean =>
  Object.values(query).some((value) => value !== undefined)

/** Rows to skip and to take; a page of 50 unless asked otherwise. */
export function pageOf({ page = 1, size = 50 }: ManageQuery): { page: number; size: number; offset: number } {
  return { page, size, offset: (page - 1) * size }
}
