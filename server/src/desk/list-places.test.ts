import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Paged } from '@befaqt/domain/api/box-api'
import { LIST_END } from '@befaqt/domain/list-place'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import type { Caller } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { shopWithOrders } from '#server/testing/orders.ts'

/** Rows that each list gets more of. */
const COPIES = 11

/** Copies of one row of a table with other keys. @param changed SQL of an object, in which `n` counts the copies */
async function copied(db: Db, table: string, changed: SQL): Promise<void> {
  const [own] = await rows<{ names: string }>(
    db,
    sql`select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
        where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`,
  )
  const columns = sql.raw(own?.names ?? '')
  const from = sql.raw(table)
  await db.execute(sql`insert into ${from} (${columns}) overriding system value
    select c.* from (select * from ${from} limit 1) t, generate_series(1, ${COPIES}) n,
      lateral (select ${columns} from jsonb_populate_record(null::${from}, to_jsonb(t) || ${changed})) c`)
}

const uuid = sql`'00000000-0000-4000-8000-' || lpad(n::text, 12, '0')`

type Row = Record<string, unknown>
const idOf = (row: Row): string => String(row._id ?? row.boxID ?? row.id)

const listed = async (call: Caller, url: string): Promise<Paged<Row>> => {
  const answer = await call('GET', url)
  assert.equal(answer.statusCode, 200, `${url}: ${answer.body}`)
  return answer.json()
}

/** All rows of a list, some at a time. @param way from its beginning, or from its end */
async function walked(call: Caller, url: string, way: 'after' | 'before'): Promise<string[]> {
  const ids: string[] = []
  const asking = (query: string) => `${url}${url.includes('?') ? '&' : '?'}size=4${query}`
  for (let at: string | null = way === 'after' ? '' : LIST_END; at !== null; ) {
    const page: Paged<Row> = await listed(call, asking(at === '' ? '' : `&${way}=${at}`))
    if (way === 'after') ids.push(...page.rows.map(idOf))
    else ids.unshift(...page.rows.map(idOf))
    const next: string | null | undefined = way === 'after' ? page.next : page.prev
    assert.notEqual(next, undefined, url)
    assert.ok(ids.length < 200, `${url} does not end`)
    at = next ?? null
  }
  return ids
}

const lists = [
  '/api/order/all',
  '/api/order/all?sort=slot',
  '/api/order/all?sort=slot&status=open',
  '/api/slot/all?when=coming',
  '/api/slot/all',
  ...['title', 'price', 'stock', 'discount', 'shelf', 'status', 'origin', 'updated'].map(
    (sort) => `/api/product?sort=${sort}`,
  ),
  '/api/product?sort=price&dir=desc&q=snap',
  ...['title', 'shelf', 'status', 'updated'].map((sort) => `/api/category?sort=${sort}&dir=desc`),
  '/api/category',
  ...['name', 'email', 'role', 'status', 'created'].map((sort) => `/api/user/all?sort=${sort}`),
  '/api/user/all?sort=name&dir=desc&q=sample',
  '/api/manage/box',
  '/api/manage/box?stage=registered',
  '/api/box',
  '/api/manage/mail',
]

for (const [name, open] of testDatabases)
  test(`${name}: each list is walked by places, forth and back, and refuses those of another`, async () => {
    await using shop = await shopWithOrders({ open })
    const { admin, deps } = shop
    const { db } = deps
    await shop.placed({ snapper: 1 })
    await copied(
      db,
      'orders',
      sql`jsonb_build_object('id', ${uuid}, 'number', 'BF-2030-' || lpad(n::text, 6, '0'))`,
    )
    await copied(db, 'slots', sql`jsonb_build_object('id', ${uuid}, 'rule_id', null, 'rule_day', null)`)
    await copied(
      db,
      'products',
      sql`jsonb_build_object('id', ${uuid}, 'title', 'Snapper', 'stock', n / 3, 'price_cents', n / 2)`,
    )
    await copied(
      db,
      'categories',
      sql`jsonb_build_object('id', ${uuid}, 'title', 'C' || n, 'title_key', 'c' || n)`,
    )
    await copied(
      db,
      'users',
      sql`jsonb_build_object('id', ${uuid}, 'lname', 'Sample', 'email', 's' || n || '@example.org',
        'email_key', 's' || n || '@example.org', 'role', 'USER')`,
    )
    await db.execute(
      sql`insert into boxes (id, head) select 'COPY-' || n, '' from generate_series(1, ${COPIES}) n`,
    )
    await db.execute(sql`insert into jobs (queue, payload, last_error)
      select ${MAIL_QUEUE}, '{}', 'refused' from generate_series(1, ${COPIES}) n`)
    for (const url of lists) {
      const whole = (await listed(admin, `${url}${url.includes('?') ? '&' : '?'}size=100`)).rows.map(idOf)
      assert.ok(whole.length >= COPIES, `${url}: ${whole.length}`)
      assert.deepEqual(await walked(admin, url, 'after'), whole, url)
      assert.deepEqual(await walked(admin, url, 'before'), whole, url)
    }
    const { next } = await listed(admin, '/api/product?sort=price&size=4')
    for (const [url, path] of [
      [`/api/product?sort=title&size=4&after=${next}`, 'after'],
      [`/api/product?sort=price&dir=desc&size=4&before=${next}`, 'before'],
      [`/api/product?sort=price&q=snapper&after=${next}`, 'after'],
      [`/api/category?after=${next}`, 'after'],
      [`/api/user/all?after=${next}`, 'after'],
      ['/api/product?after=a%20b', 'after'],
      [`/api/product?sort=price&page=2&after=${next}`, 'page'],
      ['/api/order/all?page=201', 'page'],
      ['/api/box?page=101&size=100', 'page'],
    ] as const) {
      const refused = await admin('GET', url)
      assert.equal(refused.statusCode, 400, url)
      assert.ok(refused.json().error.fields, `${url}: ${refused.body}`)
      assert.deepEqual(
        refused.json().error.fields.map((field: { path: string }) => field.path),
        [path],
        url,
      )
    }
    const people = await listed(admin, '/api/user/all?sort=email&size=4')
    const said = Buffer.from(`${people.next}`.split('.').at(-1) ?? '', 'base64url').toString('latin1')
    assert.ok(!said.includes('example'), 'no address of a page says whose it is')
    const [one] = await rows<{ n: number }>(db, sql`select count(*)::int as n from users`)
    assert.equal(people.total, one?.n)
  })
