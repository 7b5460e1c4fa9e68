import { createHash } from 'node:crypto'
import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import { ShopError } from '@befaqt/domain/errors'
import { refusedField } from '@befaqt/domain/field-labels'
import { LIST_END, MAX_LISTED } from '@befaqt/domain/list-place'
import { asc, Column, desc, is, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, rows, type Tx } from './client.ts'

/*
 * Pages by keys: a page of a list goes on after a row, or before one, instead of counting off all rows before it. So a page
 * far behind costs what the first does, and a row that comes or goes meanwhile neither repeats nor hides another.
 */

/** How a value of a key is written down, and read again from what anybody may have sent. */
const types = {
  text: { cast: sql`text`, shape: z.string().max(1_000).refine(isStorable) },
  timestamptz: { cast: sql`timestamptz`, shape: z.iso.datetime({ precision: 6 }) },
  bigint: { cast: sql`bigint`, shape: z.string().regex(/^-?\d{1,18}$/) },
  numeric: { cast: sql`numeric`, shape: z.string().regex(/^-?\d{1,18}(?:\.\d{1,12})?$/) },
  boolean: { cast: sql`boolean`, shape: z.enum(['true', 'false']) },
} as const
type KeyType = keyof typeof types

/** Neither NUL nor half a pair of surrogates, which no stored text can contain. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Names of PostgreSQL for these types. */
const typeNames: Readonly<Record<string, KeyType>> = {
  timestamp: 'timestamptz',
  integer: 'bigint',
  serial: 'bigint',
  bigserial: 'bigint',
}

/** What a list is sorted by, first of all or among equals. `isNullable`: nothing is the largest, as PostgreSQL sorts it. */
type SortKey = { by: SQLWrapper; type: KeyType; way: 'asc' | 'desc'; isNullable: boolean }

function keyOf(by: SQLWrapper, way: SortKey['way'], type: KeyType = 'text'): SortKey {
  if (!is(by, Column)) return { by, way, type, isNullable: false }
  const name = by.getSQLType().split(/[ (]/)[0] ?? ''
  const found = typeNames[name] ?? (name in types ? (name as KeyType) : undefined)
  if (found === undefined) throw new Error(`a list can't be paged by a column of type ${name}`)
  return { by, way, type: found, isNullable: !by.notNull }
}

/** The smallest first. @param type of an expression; a column has its own */
export const rising = (by: SQLWrapper, type?: KeyType): SortKey => keyOf(by, 'asc', type)
/** The largest first. @param type of an expression; a column has its own */
export const falling = (by: SQLWrapper, type?: KeyType): SortKey => keyOf(by, 'desc', type)

/** As a manager sorts: by a column, then by the id, both one way. */
export const sortedBy = (column: SQLWrapper, id: SQLWrapper, way: 'asc' | 'desc' = 'asc'): SortKey[] =>
  [column, id].map((by) => keyOf(by, way))

/** Encrypts texts, bound to what they are, under the shop's key. */
type Sealing = {
  encrypt(text: string, context: string): string
  decrypt(sealed: string, context: string): string
}

/** A list: its order, and what it is narrowed to. */
export type KeysetList = {
  /** The last of them tells all rows apart. */
  keys: readonly SortKey[]
  /** What a place belongs to: the name of the list, what it is sorted by and what it is narrowed to. */
  of: readonly [name: string, asked: object]
  /** Encrypts places whose values are about people: places are in addresses, which are logged. */
  seal?: Sealing
}

type Values = readonly (string | null)[]

/** What has to be read for a page. `at`, a column of each row, says where it is. */
export type Part = { where: SQL | undefined; order: SQL[]; limit: number; offset: number; at: SQL<string> }

/** `beyond`: how many of those counted are on the other side of the row that a page begins at. */
export type Counted = { total: number; atLeast?: true | undefined; beyond?: number }

const SIZE = 50
const SEAL = 'place in a list'

const refused = (path: 'page' | 'after' | 'before', message: string): ShopError =>
  new ShopError('input.invalid', refusedField(path, message), { fields: [{ path, message }] })

const reversed = (keys: readonly SortKey[]): SortKey[] =>
  keys.map((key) => ({ ...key, way: key.way === 'asc' ? 'desc' : 'asc' }))

/** Tells places of one order and filter from those of another. */
const markOf = ({ keys, of: [name, asked] }: KeysetList): string => {
  const { page: _p, size: _s, after: _a, before: _b, ...filter } = asked as ListPlace
  const said = Object.entries(filter).filter(([, value]) => value !== undefined)
  const text = JSON.stringify([name, keys.map(({ way }) => way), said.sort(([a], [b]) => (a < b ? -1 : 1))])
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

/** A place as it is sent: after or before this row. @param at what the column `at` of the row says */
function placeOf(list: KeysetList, at: string): string {
  const text = JSON.stringify([markOf(list), ...(JSON.parse(at) as string[])])
  return list.seal?.encrypt(text, SEAL) ?? Buffer.from(text).toString('base64url')
}

/** What a place says: its mark, and the values of its row. */
const Place = z.tuple([z.string()], z.unknown())

/** The row that a place names. @throws ShopError `input.invalid` at `path` */
function rowAt(list: KeysetList, path: 'after' | 'before', place: string): Values {
  const found = Place.safeParse(opening(list, place))
  if (!found.success) throw refused(path, 'is no place that this list has given')
  const [mark, ...values] = found.data
  if (mark !== markOf(list))
    throw refused(
      path,
      'is a place in this list in another order or with other filters: begin at its first page',
    )
  const read = list.keys.map(({ type, isNullable }, i) =>
    (isNullable ? types[type].shape.nullable() : types[type].shape).safeParse(values[i]),
  )
  if (values.length !== read.length || !read.every(({ success }) => success))
    throw refused(path, 'is no place that this list has given')
  return read.map(({ data }) => data ?? null)
}

/** Undefined: it is no place. */
function opening({ seal }: KeysetList, place: string): unknown {
  try {
    return JSON.parse(seal ? seal.decrypt(place, SEAL) : Buffer.from(place, 'base64url').toString())
  } catch {
    return undefined
  }
}

const list = (parts: readonly SQLWrapper[]): SQL => sql.join([...parts], sql`, `)
const typed = ({ type }: SortKey, value: string | null): SQL => sql`${value}::${types[type].cast}`

/** SQL: does a row come after the one with these values? */
export function comesAfter(keys: readonly SortKey[], values: Values): SQL {
  const [key, ...others] = keys
  if (key === undefined) return sql`false`
  const isRow = keys.every(({ way, isNullable }) => way === key.way && !isNullable)
  if (isRow) {
    const sign = key.way === 'asc' ? sql`>` : sql`<`
    const all = keys.map((one, i) => typed(one, values[i] ?? null))
    return sql`(${list(keys.map(({ by }) => by))}) ${sign} (${list(all)})`
  }
  const value = values[0] ?? null
  const later = comesLater(key, value)
  const same = value === null ? sql`${key.by} is null` : sql`${key.by} = ${typed(key, value)}`
  return sql`(${later} or (${same} and ${comesAfter(others, values.slice(1))}))`
}

/** By one key alone. */
function comesLater(key: SortKey, value: string | null): SQL {
  const { by, way, isNullable } = key
  if (value === null) return way === 'asc' ? sql`false` : sql`${by} is not null`
  if (way === 'desc') return sql`${by} < ${typed(key, value)}`
  return isNullable ? sql`(${by} > ${typed(key, value)} or ${by} is null)` : sql`${by} > ${typed(key, value)}`
}

/** SQL: the place of a row as JSON: its values as texts, times to the microsecond. */
const atOf = (keys: readonly SortKey[]): SQL<string> =>
  sql<string>`json_build_array(${list(
    keys.map(({ by, type }) =>
      type === 'timestamptz'
        ? sql`to_char(${by} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
        : sql`${by}::text`,
    ),
  )})::text`

type Asked = { size: number; offset: number; back: boolean; from: Values | null }

/** @throws ShopError `input.invalid` at what can't be so */
function askedOf(query: ListPlace, list: KeysetList): Asked {
  const { page, size = SIZE, after, before } = query
  if (before !== undefined && after !== undefined) throw refused('before', 'goes without after')
  if (page !== undefined && (after ?? before) !== undefined)
    throw refused('page', 'goes without after and before')
  if (page !== undefined && page > 1 && page * size > MAX_LISTED)
    throw refused('page', `reaches row ${MAX_LISTED} at most: read on with after, which has no bound`)
  const from =
    after !== undefined
      ? rowAt(list, 'after', after)
      : before !== undefined && before !== LIST_END
        ? rowAt(list, 'before', before)
        : null
  return { size, offset: ((page ?? 1) - 1) * size, back: before !== undefined, from }
}

/**
 * A page of a list: the first, by its number as far as 10,000 rows, or by keys: after a row or before one.
 * @param read the rows of a part, in its order, and one more than a page has
 * @param count how many there are, and how many of those are `beyond`; `countListed` of most lists
 * @throws ShopError `input.invalid` for a place that is none of this list, order and filter
 */
export async function keysetPage<Row extends { at: string }>(
  query: ListPlace,
  list: KeysetList,
  read: (part: Part) => Promise<Row[]>,
  count: (beyond: SQL | undefined) => Promise<Counted>,
): Promise<Paged<Row>> {
  const { size, offset, back, from } = askedOf(query, list)
  const keys = back ? reversed(list.keys) : list.keys
  const where = from === null ? undefined : comesAfter(keys, from)
  const order = keys.map(({ by, way }) => (way === 'asc' ? asc(by) : desc(by)))
  const [got, { total, atLeast, beyond }] = await Promise.all([
    read({ where, order, limit: size + 1, offset, at: atOf(keys) }),
    count(where),
  ])
  const isMore = got.length > size
  const found = back ? got.slice(0, size).reverse() : got.slice(0, size)
  const first = firstOf({ back, from, isMore, offset, total, atLeast, beyond, shown: found.length })
  const place = (row: Row | undefined): string | null => (row === undefined ? null : placeOf(list, row.at))
  const isLast =
    back && (from === null || (first !== undefined && first - 1 + found.length >= total && !atLeast))
  const isFirst = back ? !isMore : from === null && offset === 0
  return {
    rows: found,
    page: query.page ?? (first === undefined ? 0 : Math.floor((first - 1) / size) + 1),
    size,
    total,
    ...(atLeast && { atLeast }),
    ...(first !== undefined && { first }),
    next: (back ? !isLast : isMore) ? place(found.at(-1)) : null,
    prev: isFirst ? null : (place(found[0]) ?? LIST_END),
  }
}

type Seen = Pick<Asked, 'back' | 'from' | 'offset'> &
  Pick<Counted, 'total' | 'atLeast'> & { beyond: number | undefined; isMore: boolean; shown: number }

/** The how-manieth of all the first row of a page is, from 1; undefined: there are too many to count. */
function firstOf({ back, from, isMore, offset, total, atLeast, beyond, shown }: Seen): number | undefined {
  if (!back && from === null) return offset + 1
  if (back && !isMore) return 1
  const side = back && from === null ? total : beyond
  if (atLeast || side === undefined) return undefined
  // Rows may have come between the reading and the counting.
  return Math.max(1, back ? side - shown + 1 : total - side + 1)
}

/** Counts the rows of a table that match, up to 10,000, and how many of them are `beyond`. */
export async function countListed(
  db: Db | Tx,
  table: SQLWrapper,
  where: SQL | undefined,
  beyond: SQL | undefined,
  most = MAX_LISTED,
): Promise<Counted> {
  const counted = await rows<{ total: number; beyond: number }>(
    db,
    sql`select count(*)::int as total, (count(*) filter (where s.b))::int as beyond
        from (select ${beyond ?? sql`false`} as b from ${table} ${where && sql`where ${where}`} limit ${most + 1}) s`,
  )
  const { total = 0, beyond: side = 0 } = counted[0] ?? {}
  return total > most ? { total: most, atLeast: true } : { total, beyond: side }
}
