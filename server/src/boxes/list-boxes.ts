import type { BoxListRow, Paged } from '@befaqt/domain/api/box-api'
import type { FoundBox } from '@befaqt/domain/api/desk-api'
import { and, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { boxes, boxSearch } from '#server/db/schema/boxes.ts'
import {
  countUpTo,
  type Found,
  findIds,
  MAX_FOUND,
  matchesAllWords,
  matchesAllWordsIndexed,
  someFound,
} from '#server/db/search-and-order.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { holdsFish } from './box-access.ts'

/** Boxes of the whole list that are counted: a count reads every one. */
const MAX_COUNTED = 100_000

/** As `listBoxes`; looking for words runs within the limits of searches, until `signal` ends it. */
export const searchBoxes = (
  { db, search }: { db: Db; search: Search },
  query: Parameters<typeof listBoxes>[1],
  signal?: AbortSignal,
): Promise<Paged<BoxListRow>> =>
  query.q.trim() === ''
    ? listBoxes(db, query)
    : search('visitors', (limited) => listBoxes(limited, query), signal)

/**
 * Boxes, newest first. `q` looks in the boxID and the species; the box that it names comes before all others. What is
 * looked at does not grow with the number of boxes, but for pages far behind.
 */
export async function listBoxes(
  db: Db,
  { page, size, q }: { page: number; size: number; q: string },
): Promise<Paged<BoxListRow>> {
  const search = q.trim().replaceAll('\0', '\uFFFD') // NUL, which no stored text can contain
  const found = await findBoxes(db, search, ['public'])
  const where = and(holdsFish, isFound(found, search, ['public']))
  const [named] = search === '' ? [] : await db.select({ id: boxes.id }).from(boxes).where(isNamed(search))
  const before = named === undefined ? 0 : 1
  const others = await db
    .select({ id: boxes.id })
    .from(boxes)
    .where(and(where, named && ne(boxes.id, named.id)))
    .orderBy(desc(boxes.createdAt), desc(boxes.id))
    .limit(page === 1 ? size - before : size)
    .offset(Math.max(0, (page - 1) * size - before))
  const ids = named !== undefined && page === 1 ? [named, ...others] : others
  const whole = await db
    .select()
    .from(boxes)
    .where(
      inArray(
        boxes.id,
        ids.map(({ id }) => id),
      ),
    )
  const byId = new Map(whole.map((box) => [box.id, box]))
  return {
    rows: ids.flatMap(({ id }) => rowOf(byId.get(id))),
    page,
    size,
    ...(await countBoxes(db, where, found)),
  }
}

const isNamed = (boxID: string): SQL | undefined => and(holdsFish, eq(boxes.id, boxID))

const rowOf = (box: typeof boxes.$inferSelect | undefined): BoxListRow[] =>
  box === undefined
    ? []
    : [
        {
          boxID: box.id,
          species: box.species,
          caughtAt: timeText(box.caughtAt),
          records: box.count,
          sealed: box.sealed,
        },
      ]

/** Whose names are searched: of a box and its fish, or of the trader too. */
type SearchFields = readonly ('public' | 'trader')[]

const textOf = { public: boxSearch.names, trader: boxSearch.trader } as const

/** The boxes that a search finds by the index of its words. Undefined: there is nothing to search for. */
export async function findBoxes(db: Db, q: string, fields: SearchFields): Promise<Found | undefined> {
  const ids = idsOf(q, fields)
  return ids && findIds(db, ids)
}

function idsOf(q: string, fields: SearchFields): SQL | undefined {
  const parts = fields.flatMap((field) => {
    const words = matchesAllWordsIndexed(textOf[field], q)
    return words ? [sql`select ${boxSearch.boxId} as id from ${boxSearch} where ${words}`] : []
  })
  return parts.length === 0 ? undefined : sql.join(parts, sql` union `)
}

/** A few boxes by their number, species or trader: the one that is named first, then what was changed last. */
export async function boxesFound(db: Db, q: string, most: number): Promise<FoundBox[]> {
  const ids = idsOf(q, ['public', 'trader'])
  if (ids === undefined) return []
  const named = q.trim().replaceAll('\0', '\uFFFD')
  return rows<FoundBox>(
    db,
    sql`select boxes.id as "boxID", boxes.species, boxes.recall_id is not null as recalled
        from ${someFound(ids, boxes)}
        where ${holdsFish} order by boxes.id = ${named} desc, boxes.updated_at desc, boxes.id limit ${most}`,
  )
}

/** SQL: is a box among those found? Of many the words are looked for in each box, in the order of the list. */
export function isFound(found: Found | undefined, q: string, fields: SearchFields): SQL | undefined {
  if (found === undefined) return undefined
  if (found !== 'many') return inArray(boxes.id, [...found])
  const words = sql.join(
    fields.map((field) => sql`(${matchesAllWords(textOf[field], q)})`),
    sql` or `,
  )
  // A subquery for each row, which no join over all boxes takes the place of.
  return sql`(select (${words}) from ${boxSearch} where ${boxSearch.boxId} = ${boxes.id})`
}

/** The total of a list of boxes, as far as they are counted. */
export const countBoxes = (
  db: Db,
  where: SQL | undefined,
  found: Found | undefined,
): Promise<{ total: number; atLeast?: true }> =>
  countUpTo(
    db,
    sql`select 1 from ${boxes} ${where && sql`where ${where}`}`,
    found === 'many' ? MAX_FOUND : MAX_COUNTED,
  )
