import type { Customer, CustomerList, CustomerRow } from '@befaqt/domain/api/desk-api'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { stockNotices } from '#server/db/schema/shop.ts'
import { MAX_FOUND, matchesAllWordsIndexed, someFound } from '#server/db/search-and-order.ts'
import { timeText } from '#server/db/stored-values.ts'
import { fieldError } from '#server/http/field-error.ts'
import { guestOrdersOf } from '#server/orders/index.ts'
import { stateOf } from './projection.ts'
import { ERASED, GUEST } from './sales-parts.ts'
import { type SalesDeps, sales } from './sales-projection.ts'

/** Of a page. */
const PAGE = 50

/** What a customer's row is made of, where `s` is what they bought in all. */
const columns = sql`u.id as "_id", u.fname || ' ' || u.lname as name, u.email, coalesce(s.orders, 0) as orders,
  coalesce(s.revenue - s.refunds, 0)::float8 as revenue,
  (select max(period) from sales_sums t where t.what = 'customer' and t.key = u.id and t.period > '') as last`

const inAll = sql`s.what = 'customer' and s.period = ''`

type Cursor = { revenue: number; id: string }

/** @throws ShopError `input.invalid` */
function cursorOf(after: string): Cursor {
  const [, revenue, id] = /^(-?\d{1,15})_(.{1,100})$/.exec(after) ?? []
  if (revenue === undefined || id === undefined)
    throw fieldError('after', 'is not what a page before ended with')
  return { revenue: Number(revenue), id }
}

/**
 * Who bought the most, a page; or who is found by name, email or phone, also who bought nothing. Read from the sums of
 * sales by an index of theirs. @throws ShopError `input.invalid` for an `after` that no page ended with
 */
export async function listCustomers(
  deps: SalesDeps,
  { q = '', after }: { q?: string | undefined; after?: string | undefined },
): Promise<CustomerList> {
  const { db } = deps
  const cursor = after === undefined ? null : cursorOf(after)
  const [state, page] = await Promise.all([
    stateOf(db, sales(deps)),
    q.trim() === '' ? mostFirst(db, cursor) : found(db, q, cursor),
  ])
  return { ...page, ...state }
}

type Page = Pick<CustomerList, 'rows' | 'next' | 'isCut'>
type Listed = CustomerRow & { charged: number; n?: number }

/** A page of what was read, and where the next one goes on. */
function pageOf(listed: readonly Listed[]): Page {
  const shown = listed.slice(0, PAGE)
  const last = shown.at(-1)
  const next = listed.length > PAGE && last ? `${last.charged}_${last._id}` : null
  const isCut = last?.n !== undefined && last.n >= MAX_FOUND
  return { rows: shown.map(({ charged: _, n: __, ...row }) => row), next, ...(isCut && { isCut }) }
}

/** Keys of sums are in another collation than ids: compared in theirs, an account would be looked for among all. */
async function mostFirst(db: Db, after: Cursor | null): Promise<Page> {
  const below = after === null ? sql`true` : sql`(s.revenue, s.key) < (${after.revenue}, ${after.id})`
  const listed = await rows<Listed>(
    db,
    sql`select ${columns}, s.revenue::float8 as charged
        from (select * from sales_sums s where ${inAll} and s.key not in (${GUEST}, ${ERASED}) and ${below}
          order by s.revenue desc, s.key desc limit ${PAGE + 1}) s
        join users u on u.id = s.key collate "default" order by s.revenue desc, s.key desc`,
  )
  return pageOf(listed)
}

/** Those of the same revenue by their names, where the page before ended also if its last one is gone by now. */
async function found(db: Db, q: string, after: Cursor | null): Promise<Page> {
  const words = matchesAllWordsIndexed(users.search, q)
  const charged = sql`coalesce(s.revenue, 0)`
  const below =
    after === null
      ? sql`true`
      : sql`(${charged} < ${after.revenue} or ${charged} = ${after.revenue} and (u.search, u.id) >
          (coalesce((select search from users where id = ${after.id}), ''), ${after.id}))`
  const listed = await rows<Listed>(
    db,
    sql`select ${columns}, shown.charged, shown.n
        from (select u.id, u.search, u.n, ${charged}::float8 as charged
          from (select users.id, users.search, count(*) over ()::int as n
            from ${someFound(sql`select ${users.id} from ${users} where ${words}`, users)}) u
          left join lateral (select * from sales_sums s where ${inAll} and s.key = u.id offset 0) s on true
          where ${below}
          order by ${charged} desc, u.search, u.id limit ${PAGE + 1}) shown
        join users u on u.id = shown.id
        left join sales_sums s on ${inAll} and s.key = u.id
        order by shown.charged desc, shown.search, shown.id`,
  )
  return pageOf(listed)
}

/** One customer, with what they bought by year. @throws ShopError `user.not_found` */
export async function readCustomer({ db }: { db: Db }, id: string): Promise<Customer> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  if (user === undefined) throw new ShopError('user.not_found', 'There is no such customer.')
  const [row] = await rows<CustomerRow>(
    db,
    sql`select ${columns} from users u left join sales_sums s on ${inAll} and s.key = u.id where u.id = ${id}`,
  )
  if (row === undefined) throw new ShopError('user.not_found', 'There is no such customer.')
  const years = await rows<Customer['years'][number]>(
    db,
    sql`select period as year, orders, (revenue - refunds)::float8 as revenue from sales_sums
        where what = 'customer' and key = ${id} and length(period) = 4 order by period desc`,
  )
  const { phone, status, createdAt, role, rights } = user
  return {
    ...{ ...row, phone, status, createdAt: timeText(createdAt), years },
    isStaff: role !== 'USER' || rights.length > 0,
    notices: await db.$count(
      stockNotices,
      and(eq(stockNotices.userId, id), isNotNull(stockNotices.confirmedAt)),
    ),
    guestOrders: (await guestOrdersOf(db, user)).length,
  }
}
