import type { BoxListRow, ListPlace, Paged } from '@befaqt/domain/api/box-api'
import type { FoundBox } from '@befaqt/domain/api/desk-api'
import type { ImageView } from '@befaqt/domain/catalogue'
import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { boxOnCard, type Catalogue } from '#server/catalogue/index.ts'
import { type Db, rows } from '#server/db/client.ts'
import { type Counted, countListed, falling, keysetPage, type Part } from '#server/db/keyset.ts'
import { boxes, boxSearch } from '#server/db/schema/boxes.ts'
import { productBoxes } from '#server/db/schema/shop.ts'
import {
  eitherFinds,
  type Found,
  findIds,
  hasLongWord,
  isOfMany,
  MAX_FOUND,
  MAX_WALKED,
  matchesAllWords,
  matchesAllWordsIndexed,
  someFound,
  WALKED_FIRST,
} from '#server/db/search-and-order.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { holdsFish, isOnSale } from './box-access.ts'
import type { Market } from './projection/box-summary.ts'

type ListDeps = { db: Db; catalogue: Pick<Catalogue, 'snapshot'>; siteFile: { market: Market } }

/** As `listBoxes`, with pictures; looking for words runs within the limits of searches, until `signal` ends it. */
export async function searchBoxes(
  { db, search, catalogue, siteFile: { market } }: ListDeps & { search: Search },
  query: Parameters<typeof listBoxes>[2],
  signal?: AbortSignal,
): Promise<Paged<BoxListRow>> {
  const { rows, ...page } =
    (query.q ?? '').trim() === ''
      ? await listBoxes(db, market.timeZone, query)
      : await search('visitors', (limited) => listBoxes(limited, market.timeZone, query), signal)
  const images = await imagesOf(
    { db, catalogue },
    rows.map(({ boxID }) => boxID),
  )
  return { ...page, rows: rows.map((row) => ({ ...row, image: images.get(row.boxID) ?? null })) }
}

const newestFirst = [falling(boxes.createdAt), falling(boxes.id)]

/**
 * Boxes, newest first. `q` looks in the boxID and the species; the box that it names comes before all others. What is
 * looked at does not grow with the number of boxes.
 */
export async function listBoxes(
  db: Db,
  timeZone: string,
  { q = '', size = 20, ...place }: ListPlace & { q?: string },
): Promise<Paged<Row>> {
  const search = q.trim().replaceAll('\0', '\uFFFD') // NUL, which no stored text can contain
  const found = await findBoxes(db, search, ['public'])
  const [named] = search === '' ? [] : await db.select({ id: boxes.id }).from(boxes).where(isNamed(search))
  const where = and(holdsFish, isFound(found, search, ['public']), named && ne(boxes.id, named.id))
  const pinned = named === undefined ? 0 : 1
  const isFirst = place.after === undefined && place.before === undefined && (place.page ?? 1) === 1
  const { rows: others, ...page } = await keysetPage(
    { ...place, size: isFirst ? size - pinned : size },
    { keys: newestFirst, of: ['boxes', { q: search }] },
    (part) => boxIds(db, where, { ...part, offset: Math.max(0, part.offset - pinned) }),
    countingBoxes(db, where, found, true),
  )
  const begins = isFirst || (place.before !== undefined && page.prev === null)
  const ids = named !== undefined && begins ? [named, ...others] : others
  const isCountedOff = begins || place.page !== undefined
  return {
    ...page,
    rows: await rowsOf(
      db,
      timeZone,
      ids.map(({ id }) => id),
    ),
    size,
    total: page.total + pinned,
    ...(page.first !== undefined && { first: isCountedOff ? page.first : page.first + pinned }),
  }
}

/** Where boxes of a part of a list are. */
export const boxIds = (
  db: Db,
  where: SQL | undefined,
  { where: beyond, order, limit, offset, at }: Part,
): Promise<{ id: string; at: string }[]> =>
  db
    .select({ id: boxes.id, at })
    .from(boxes)
    .where(and(where, beyond))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)

const isNamed = (boxID: string): SQL | undefined => and(holdsFish, eq(boxes.id, boxID))

type Row = Omit<BoxListRow, 'image'>

async function rowsOf(db: Db, timeZone: string, ids: readonly string[]): Promise<Row[]> {
  const whole = await db
    .select()
    .from(boxes)
    .where(inArray(boxes.id, [...ids]))
  const byId = new Map(whole.map((box) => [box.id, rowOf(box, timeZone)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Of a box that is recalled or off sale nothing is said of how fresh its fish is, as on its own page. */
const rowOf = (box: typeof boxes.$inferSelect, timeZone: string): Row => ({
  boxID: box.id,
  species: box.species,
  caughtAt: timeText(box.caughtAt),
  records: box.count,
  sealed: box.sealed,
  recalled: box.recallId !== null,
  offSale: box.offSaleAt !== null,
  box: isOnSale(box) ? boxOnCard(box, timeZone) : null,
})

/** By box the picture that its page shows too: that of the first product on sale from it, in the order of the shelves. */
async function imagesOf(
  { db, catalogue }: Pick<ListDeps, 'db' | 'catalogue'>,
  ids: readonly string[],
): Promise<Map<string, ImageView>> {
  const links = await db
    .select({ id: productBoxes.productId, boxID: productBoxes.boxId })
    .from(productBoxes)
    .where(inArray(productBoxes.boxId, [...ids]))
  const boxesOf = Map.groupBy(links, ({ id }) => id)
  const images = new Map<string, ImageView>()
  for (const {
    _id,
    images: [first],
  } of (await catalogue.snapshot()).products)
    for (const { boxID } of first ? (boxesOf.get(_id) ?? []) : [])
      if (first && !images.has(boxID)) images.set(boxID, first)
  return images
}

/** Whose names are searched: of a box and its fish, or of the trader too. */
type SearchFields = readonly ('public' | 'trader')[]

const textOf = { public: boxSearch.names, trader: boxSearch.trader } as const

/** What a search of boxes found; `counted`: more than `MAX_FOUND` with fish, by a count of those that were changed last. */
type FoundBoxes = Found | 'counted'

/** The boxes that a search finds, by the index of its words. Undefined: there is nothing to search for. */
export async function findBoxes(db: Db, q: string, fields: SearchFields): Promise<FoundBoxes | undefined> {
  const ids = idsOf(q, fields)
  if (ids === undefined) return undefined
  return (await isOfMany(db, q, (newest) => amongNewest(q, fields, newest))) ? 'counted' : findIds(db, ids)
}

/** SQL: of so many boxes that were changed last those with the words of a search, under the name of boxes. */
const amongNewest = (q: string, fields: SearchFields, newest: number): SQL =>
  sql`(select * from boxes where ${holdsFish} order by updated_at desc, id desc limit ${newest}) boxes
      where ${hasWords(q, fields)}`

function idsOf(q: string, fields: SearchFields): SQL | undefined {
  const parts = fields.flatMap((field) => {
    const words = matchesAllWordsIndexed(textOf[field], q)
    return words ? [sql`select ${boxSearch.boxId} as id from ${boxSearch} where ${words}`] : []
  })
  return parts.length === 0 ? undefined : eitherFinds(parts)
}

/**
 * A few boxes by their number, species or trader: the one that is named first, then what was changed last. Words that many
 * have are soon found, and no more is read.
 */
export async function boxesFound(db: Db, q: string, most: number): Promise<FoundBox[]> {
  const fields: SearchFields = ['public', 'trader']
  const ids = idsOf(q, fields)
  if (ids === undefined) return []
  const named = q.trim().replaceAll('\0', '\uFFFD')
  const newest = (n: number): SQL => amongNewest(q, fields, n)
  const lastChanged = (n: number): SQL =>
    sql`(select boxes.* from ${newest(n)} and boxes.id <> ${named}
         union all select * from boxes where id = ${named}) boxes`
  const firstOf = (found: SQL): Promise<FoundBox[]> =>
    rows<FoundBox>(
      db,
      sql`select boxes.id as "boxID", boxes.species, boxes.recall_id is not null as recalled
          from ${found}
          where ${holdsFish} order by boxes.id = ${named} desc, boxes.updated_at desc, boxes.id limit ${most}`,
    )
  const soon = hasLongWord(q) ? await firstOf(lastChanged(WALKED_FIRST)) : []
  if (soon.length === most) return soon
  return firstOf((await isOfMany(db, q, newest)) ? lastChanged(MAX_WALKED) : someFound(ids, boxes))
}

/** SQL: is a box among those found? Of many the words are looked for in each box, in the order of the list. */
export function isFound(found: FoundBoxes | undefined, q: string, fields: SearchFields): SQL | undefined {
  if (found === undefined) return undefined
  return typeof found === 'string' ? hasWords(q, fields) : inArray(boxes.id, [...found])
}

/** SQL: has a box the words of a search? A subquery for each row, which no join over all boxes takes the place of. */
function hasWords(q: string, fields: SearchFields): SQL {
  const words = sql.join(
    fields.map((field) => sql`(${matchesAllWords(textOf[field], q)})`),
    sql` or `,
  )
  return sql`(select (${words}) from ${boxSearch} where ${boxSearch.boxId} = ${boxes.id})`
}

/** Counts a list of boxes, as far as they are counted. @param isAll it lists all that were found */
export const countingBoxes =
  (db: Db, where: SQL | undefined, found: FoundBoxes | undefined, isAll: boolean) =>
  async (beyond: SQL | undefined): Promise<Counted> =>
    found === 'counted' && isAll
      ? { total: MAX_FOUND, atLeast: true }
      : countListed(db, boxes, where, beyond, typeof found === 'string' ? MAX_FOUND : undefined)
