import type { FoundOrder } from '@befaqt/domain/api/desk-api'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import {
  beginsWith,
  eitherFinds,
  type Found,
  findIds,
  hasLongWord,
  isOfMany,
  MAX_WALKED,
  matchesAllWords,
  matchesAllWordsIndexed,
  WALKED_FIRST,
} from '#server/db/search-and-order.ts'

const WHOLE_NUMBER = /^BF-\d{4}-\d{6,12}$/i
/** The beginning of an order's number, from its year on. */
const BEGINNING = /^BF-\d{4}(?:-\d*)?$/i
/** Its last digits; fewer than three stand for a number with zeros before them. */
const LAST_DIGITS = /^\d{1,12}$/
const DIGITS_OF_NUMBER = 6
const FEW_DIGITS = 3

/** SQL: is a text the whole of an order's number, its beginning, or its end? Undefined: it can be none of these. */
export function byNumber(typed: string, number: SQL = sql`o.number`): SQL | undefined {
  const text = /^\d{4}-/.test(typed) ? `BF-${typed}` : typed
  if (WHOLE_NUMBER.test(text)) return sql`${number} = ${text.toUpperCase()}`
  if (BEGINNING.test(text)) return beginsWith(number, sql`${text.toUpperCase()}::text`)
  if (!LAST_DIGITS.test(text)) return undefined
  const end = text.length < FEW_DIGITS ? text.padStart(DIGITS_OF_NUMBER, '0') : text
  const reversed = [...end].reverse().join('')
  return beginsWith(sql`reverse(${number}) collate "C"`, sql`${reversed}::text`)
}

/** Queries for ids of orders: by number, and by names, emails and phones. None: there is nothing to search for. */
function searches(q: string | undefined): SQL[] {
  const words = matchesAllWordsIndexed(sql`c.search`, q)
  if (words === undefined) return []
  const text = (q ?? '').trim()
  const number = byNumber(text)
  const numbered = number && sql`select o.id from orders o where ${number}`
  const contacts = sql`select c.order_id as id from order_contacts c where ${words}`
  if (numbered === undefined) return [contacts]
  return WHOLE_NUMBER.test(text) ? [numbered] : [numbered, contacts]
}

/** SQL: does a search find an order? For a list that is walked in its order: its words are looked for in each. */
export function isFoundInWalk(q: string): SQL {
  const number = byNumber(q.trim(), sql`${orders.number}`)
  const words = matchesAllWords(sql`c.search`, q)
  return sql`(${number && sql`(${number}) or `}
    coalesce((select ${words} from order_contacts c where c.order_id = ${orders.id}), false))`
}

/** SQL: of so many newest orders those that a search finds, under the name of orders. */
const amongNewest = (q: string, n: number): SQL =>
  sql`(select * from orders order by created_at desc, id desc limit ${n}) orders where ${isFoundInWalk(q)}`

/** Is it looked for anywhere in names, emails and phones, and there alone? */
const isOfWords = (q: string): boolean => hasLongWord(q) && byNumber(q.trim()) === undefined

/**
 * What a search finds, by indexes; undefined: there is nothing to search for. Words that most of the newest orders have are
 * counted among those, since an index reads each order that has one.
 */
export async function findOrders(db: Db, q = ''): Promise<Found | undefined> {
  const queries = searches(q)
  if (queries.length === 0) return undefined
  if (isOfWords(q) && (await isOfMany(db, q, (newest) => amongNewest(q, newest)))) return 'many'
  return findIds(db, eitherFinds(queries))
}

/**
 * The newest orders that a search finds, by number, name, email or phone. Words that many have are looked for among the
 * newest orders alone: what is looked at does not grow with the number of orders.
 */
export async function newestFound(db: Db, q: string, most: number): Promise<FoundOrder[]> {
  const soon = isOfWords(q) ? await foundAmong(db, amongNewest(q, WALKED_FIRST), most) : []
  if (soon.length === most) return soon
  const found = await findOrders(db, q)
  if (found === undefined) return []
  if (found === 'many') return foundAmong(db, amongNewest(q, MAX_WALKED), most)
  return foundAmong(db, sql`orders where ${orders.id} = any(${sql.param([...found])}::text[])`, most)
}

/** @param among SQL: orders, under that name, that a search finds */
const foundAmong = (db: Db, among: SQL, most: number): Promise<FoundOrder[]> =>
  rows<FoundOrder>(
    db,
    sql`select orders.id as "_id", orders.number, orders.status,
          (select c.fname || ' ' || c.lname from order_contacts c where c.order_id = orders.id) as buyer
        from ${among} order by orders.created_at desc, orders.id desc limit ${most}`,
  )
