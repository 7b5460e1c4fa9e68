import { Status } from '@befaqt/domain/status'
import { and, asc, desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { z } from 'zod'
import { folded } from '#server/db/schema/columns.ts'

const whole = (most: number) => z.coerce.number().int('must be a whole number').min(1).max(most)

/** What lists of managers are asked for. Without any of it a list answers whole, as the specification has it. */
export const ManageQuery = z.object({
  page: whole(1_000_000).optional(),
  size: whole(200).optional(),
  q: z.string().max(100).optional(),
  status: Status.optional(),
  category: z.string().max(64).optional(),
  sort: z.string().max(30).optional(),
  dir: z.enum(['asc', 'desc']).optional(),
})
export type ManageQuery = z.infer<typeof ManageQuery>

export const isAsked = (query: ManageQuery): boolean =>
  Object.values(query).some((value) => value !== undefined)

/** Rows to skip and to take; a page of 50 unless asked otherwise. */
export function pageOf({ page = 1, size = 50 }: ManageQuery): { page: number; size: number; offset: number } {
  return { page, size, offset: (page - 1) * size }
}

/** Rows in the order of `column`, and of `id` where that is the same, so that no row stands on two pages. */
export function inOrder(column: SQLWrapper, id: SQLWrapper, dir: ManageQuery['dir']): SQL[] {
  const way = dir === 'desc' ? desc : asc
  return [way(column), way(id)]
}

/** Whether a folded text has every word of `q` somewhere, accents and case aside. Undefined: `q` has no word. */
export const mentions = (text: SQLWrapper, q = ''): SQL | undefined =>
  and(...wordsOf(q).map((word) => sql`strpos(${text}, ${folded(sql`${word}`)}) > 0`))

/** NUL, which no stored text can hold, finds nothing. */
const wordsOf = (q: string): string[] => q.replaceAll('\0', '\uFFFD').split(/\s+/).filter(Boolean)

/** A search text for ILIKE: `%`, `_` and `\` mean themselves. NUL, which no stored text can hold, finds nothing. */
export const likeText = (text: string): string =>
  `%${text
    .trim()
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
