import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCell } from '@befaqt/domain/csv-cells'
import { columnsOfList, shownLists } from '@befaqt/domain/desk-views'
import { parse } from 'csv-parse/sync'
import { eq, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { orderContacts } from '#server/db/schema/orders.ts'
import { products } from '#server/db/schema/shop.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { packedOrder, said } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { buyer, linesOf, shopWithOrders, unlimited } from '#server/testing/orders.ts'
import { testShop } from '#server/testing/shop.ts'

const EXPORT = '/api/manage/desk/export.csv'

async function fileOf(call: Caller, query: string) {
  const reply = await call('GET', `${EXPORT}?${query}`)
  assert.equal(reply.statusCode, 200, reply.body)
  assert.match(`${reply.headers['content-type']}`, /^text\/csv/)
  const [names = [], ...rows] = parse(reply.body, { bom: true }) as string[][]
  return { names, rows, text: reply.body, head: `${reply.headers['content-disposition']}` }
}

for (const [name, open] of testDatabases) {
  test(`${name}: a list is exported as it is narrowed, sorted and with its columns in their order`, async () => {
    await using shop = await shopWithOrders({ open })
    const call = shop.admin
    const first = await shop.placed({ snapper: 1, ice: 1 })
    const second = await shop.placed({ ice: 2 })
    await shop.deps.db
      .update(orderContacts)
      .set({ lname: '=1+1' })
      .where(eq(orderContacts.orderId, first._id))
    const all = await fileOf(call, 'list=order&cols=order.state.buyer')
    assert.deepEqual(all.names, [
      ...['order', 'state', 'to decide', 'payment', 'first name', 'last name', 'phone'],
    ])
    const listed = (await call('GET', '/api/order/all?sort=slot')).json().rows
    assert.deepEqual(
      all.rows.map(([number]) => number),
      listed.map(({ number }: { number: string }) => number),
      'in the order of the list',
    )
    assert.ok(all.text.includes(",'=1+1,"), 'no cell begins a formula')
    assert.ok(all.rows.some((cells) => readCell(cells[5] ?? '') === '=1+1'))
    const found = await fileOf(call, `list=order&status=open&q=${second.number}&cols=order.weather`)
    assert.deepEqual(found.rows, [[second.number]])
    assert.deepEqual(found.names, ['order'])
    assert.deepEqual((await fileOf(call, 'list=order&status=CANCELLED')).rows, [])

    const byStock = async (dir: string) =>
      (await fileOf(call, `list=product&sort=stock&dir=${dir}&cols=stock.product`)).rows.map(([stock]) =>
        Number(stock),
      )
    const up = await byStock('asc')
    assert.ok(up.length > 1)
    assert.deepEqual(
      up,
      [...up].sort((a, b) => a - b),
    )
    assert.deepEqual(await byStock('desc'), [...up].reverse())
    await shop.deps.db.update(products).set({ status: 'INACTIVE' }).where(eq(products.id, 'ice'))
    assert.equal((await fileOf(call, 'list=product&status=INACTIVE')).rows.length, 1)
    for (const wrong of ['list=nothing', 'list=order&evil=1', 'list=order&status=odd'])
      assert.equal((await call('GET', `${EXPORT}?${wrong}`)).statusCode, 400, wrong)
  })

  test(`${name}: a long list is exported page after page, each row once, all of it, and a cut file says so in its name`, async () => {
    await using shop = await testShop({ open })
    const call = await callerOf(shop, 'olga', 'ADMIN')
    const made = (from: number, until: number) =>
      shop.deps.db.execute(sql`
        insert into users (id, fname, lname, email, email_key, phone, role, status, password_hash)
        select 'made' || n, 'Many', 'Sample', 'n' || n || '@example.org', 'n' || n || '@example.org', '', 'USER', 'ACTIVE', 'none'
        from generate_series(${from}::int, ${until}::int) n`)
    await made(1, 450)
    const some = await fileOf(call, 'list=user&cols=name.email&sort=email')
    assert.equal(some.rows.length, 451)
    assert.equal(new Set(some.rows.map(([, , email]) => email)).size, 451)
    assert.doesNotMatch(some.head, /first/)
    await shop.deps.db.execute(sql`
      insert into sales_sums (what, period, key, orders, grams, pieces, revenue, gst, discounts, coupons, refunds)
      select 'customer', '', 'made' || n, 1, 0, 1, n, 0, 0, 0, 0 from generate_series(1, 450) n`)
    const clerk = await callerOf(shop, 'cass', 'USER', ['customer:read'])
    const customers = await fileOf(clerk, 'list=customer&cols=bought.name')
    assert.equal(new Set(customers.rows.map(([, , email]) => email)).size, 450, 'page after page')
    assert.deepEqual(customers.rows[0], ['4.50', 'Many Sample', 'n450@example.org'], 'who bought most first')
    assert.equal((await fileOf(clerk, 'list=customer&q=n7%40example.org')).rows.length, 1)
    const sought = await fileOf(clerk, 'list=customer&q=many&cols=name')
    assert.equal(new Set(sought.rows.map(([, email]) => email)).size, 450, 'all that a search finds')
    assert.doesNotMatch(sought.head, /first/)
    await made(451, 10_001)
    const some1000 = await fileOf(clerk, 'list=customer&q=many&cols=name')
    assert.equal(some1000.rows.length, 1_000)
    assert.match(some1000.head, /customer-\d{4}-\d\d-\d\d-first-1000\.csv/)
    const all = await fileOf(call, 'list=user&cols=email')
    assert.equal(new Set(all.rows.map((cells) => cells.join())).size, 10_003, 'more than a list counts')
    assert.match(all.head, /user-\d{4}-\d\d-\d\d\.csv/)
    const found = await fileOf(call, 'list=user&q=many&cols=email')
    assert.equal(found.rows.length, 10_001, 'also where a search finds more than are counted')
    assert.equal(await shop.deps.db.$count(users), 10_003)
  })
}

for (const [name, open] of testDatabases)
  test(`${name}: complaints and large first orders that wait are exported as the queue shows them`, async () => {
    await using shop = await shopWithOrders({ open })
    const { admin, deps } = shop
    const order = await packedOrder(shop)
    await said(shop, order)
    await copied(
      deps.db,
      'complaints',
      130,
      sql`jsonb_build_object('id', '00000000-0000-4000-8000-' || lpad(n::text, 12, '0'), 'status', 'CLOSED',
        'about_boxes', false, 'created_at', now() - make_interval(mins => n))`,
    )
    const all = await fileOf(admin, 'list=complaint&cols=order.since.state.wished')
    assert.deepEqual(all.names, 'order,since,state,to look at,boxes,wished,promised $,given back'.split(','))
    assert.deepEqual([all.rows.length, all.rows[0]?.slice(2, 5)], [131, ['OPEN', 'yes', 'BOX-1']])
    assert.equal(new Set(all.rows.map(([, since, state]) => `${since} ${state}`)).size, 131, 'each once')
    assert.doesNotMatch(all.head, /first|up-to/)
    const toCheck = await fileOf(admin, 'list=complaint&state=check&cols=order.photos.stage')
    assert.deepEqual(toCheck.rows, [[order.number, '0', 'PACKED']])
    assert.deepEqual((await fileOf(admin, 'list=complaint&q=BF-1999')).rows, [])
    assert.equal((await admin('GET', `${EXPORT}?list=complaint&state=odd`)).statusCode, 400)
    const clerk = await callerOf(shop, 'cass', 'USER', ['order:read'])

    Object.assign(deps.siteFile.orders, { ...unlimited, firstOrderKg: 5 })
    const contact = { ...buyer, lname: '@Lee', email: 'ben@example.org' }
    const placed = await shop.place({ lines: linesOf({ snapper: 8, ice: 2 }), contact })
    assert.equal(placed.json().status, 'WAITING', placed.body)
    const waits = await fileOf(clerk, 'list=waiting&cols=buyer.wants.total.state')
    assert.deepEqual(
      waits.names,
      'first name,last name,phone,email,wants,total,state,waits for,until,reason'.split(','),
    )
    assert.deepEqual(
      waits.rows.map((cells) => cells.toSpliced(8, 1)),
      [
        [
          ...['Ann', "'@Lee", '0400 000 000', 'ben@example.org', 'Snapper, 8 kg; Ice, 2 × bag', '250.00'],
          ...['WAITING', 'a click in its email', ''],
        ],
      ],
    )
    assert.match(waits.head, /waiting-\d{4}-\d\d-\d\d\.csv/)
  })

/** Rows of a table like one that is there, with values of their own. */
async function copied(db: Db, table: string, n: number, own: SQL): Promise<void> {
  const [{ names } = assert.fail()] = await rows<{ names: string }>(
    db,
    sql`select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
        where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'`,
  )
  const columns = sql.raw(names)
  await db.execute(sql`
    insert into ${sql.identifier(table)} (${columns})
    select ${sql.raw(names.replaceAll(/[^, ]+/g, 'r.$&'))}
    from (select * from ${sql.identifier(table)} limit 1) o, generate_series(1, ${n}::int) n,
      jsonb_populate_record(null::${sql.identifier(table)}, to_jsonb(o) || ${own}) r`)
}

test('where a search finds more orders than are counted, the file goes on', async () => {
  await using shop = await shopWithOrders()
  const { db } = shop.deps
  await shop.placed({ ice: 1 })
  const id = sql`'00000000-0000-4000-8000-' || lpad(n::text, 12, '0')`
  await copied(
    db,
    'orders',
    1_300,
    sql`jsonb_build_object('id', ${id}, 'number', 'BF-X' || n, 'key', 'key' || n)`,
  )
  await copied(db, 'order_contacts', 1_300, sql`jsonb_build_object('order_id', ${id})`)
  const listed = (await shop.admin('GET', '/api/order/all?q=lee&page=1')).json()
  assert.deepEqual([listed.total, listed.atLeast], [1_000, true])
  const found = await fileOf(shop.admin, 'list=order&q=lee&cols=order')
  assert.equal(new Set(found.rows.map(([number]) => number)).size, 1_301)
  assert.doesNotMatch(found.head, /first|up-to/, 'all of it')
})

test('every list is exported with all its columns, to whoever may see it and to nobody else', async () => {
  await using shop = await shopWithOrders()
  await shop.placed({ snapper: 1 })
  const pat = await callerOf(shop, 'pat', 'USER', ['shop:write'])
  const nobody = await callerOf(shop, 'nora', 'USER')
  const may: string[] = []
  for (const list of shownLists) {
    const { names } = await fileOf(shop.admin, `list=${list}&cols=${columnsOfList(list).join('.')}`)
    assert.ok(names.length >= columnsOfList(list).length, list)
    assert.equal(new Set(names).size, names.length, `${list}: ${names}`)
    assert.equal((await nobody('GET', `${EXPORT}?list=${list}`)).statusCode, 403)
    if ((await pat('GET', `${EXPORT}?list=${list}`)).statusCode === 200) may.push(list)
  }
  assert.deepEqual(may, ['product', 'category', 'offer'])
  await shop.deps.db.update(users).set({ rights: [] }).where(eq(users.id, 'pat'))
  assert.equal((await pat('GET', `${EXPORT}?list=product`)).statusCode, 403, 'once the right is taken back')
  const made = await shop.admin('POST', '/api/coupon', { code: 'TEN', percent: 10 })
  assert.equal(made.statusCode, 201, made.body)
  assert.deepEqual((await fileOf(shop.admin, 'list=offer&cols=code&state=open')).rows, [['TEN']])
  assert.deepEqual((await fileOf(shop.admin, 'list=offer&cols=code&state=over')).rows, [])
})
