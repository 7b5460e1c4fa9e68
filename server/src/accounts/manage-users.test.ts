import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { startSession } from '#server/accounts/sessions/sessions.ts'
import { rows } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { testDatabases } from '#server/testing/database.ts'
import { rowsRead } from '#server/testing/rows-read.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { createApiKey } from './api-keys.ts'
import { userReads } from './manage-users.ts'

type Role = 'USER' | 'ADMIN'

/** A person of the shop, signed in; answers the bearer token. */
async function person({ deps }: TestShop, id: string, role: Role): Promise<string> {
  const email = `${id}@example.org`
  const names = { fname: id, lname: 'Sample', phone: '0400 000 000' }
  await deps.db
    .insert(users)
    .values({ id, ...names, email, emailKey: email, role, status: 'ACTIVE', passwordHash: 'none' })
  const client = { device: 'test', address: '127.0.0.1', network: '127.0.0.1', deviceToken: undefined }
  return (await deps.db.transaction((tx) => startSession(tx, id, client, deps.now()))).token
}

const call = (
  shop: TestShop,
  token: string,
  method: 'GET' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
) =>
  shop.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload }),
  })

for (const [name, open] of testDatabases)
  test(`${name}: an administrator edits names, role and status; a new status ends sessions at once`, async () => {
    await using shop = await testShop({ open })
    const admin = await person(shop, 'admin', 'ADMIN')
    const token = await person(shop, 'anna', 'USER')
    const all = (await call(shop, admin, 'GET', '/api/user/all')).json()
    assert.equal(all.length, 2)
    assert.ok(!JSON.stringify(all).match(/password|totp|emailKey/i))
    const changed = await call(shop, admin, 'PATCH', '/api/user/anna', {
      ...all[1],
      fname: 'Anne',
      status: 'DISABLED',
    })
    assert.equal(changed.statusCode, 200, changed.body)
    assert.equal(changed.json().fname, 'Anne')
    assert.equal((await call(shop, token, 'GET', '/api/user')).statusCode, 401)
    const history = await rows<{ who: string; before: unknown; after: unknown }>(
      shop.deps.db,
      sql`select who, before, after from changes`,
    )
    assert.equal(history[0]?.who, 'admin')
    assert.deepEqual(history[0]?.after, { fname: 'Anne', status: 'DISABLED' })
  })

test('only a DISABLED user can be deleted, by ADMIN alone', async () => {
  await using shop = await testShop()
  const admin = await person(shop, 'admin', 'ADMIN')
  const token = await person(shop, 'anna', 'USER')
  assert.equal((await call(shop, token, 'DELETE', '/api/user/anna')).statusCode, 403)
  assert.equal((await call(shop, token, 'GET', '/api/user/all')).statusCode, 403)
  assert.equal((await call(shop, admin, 'DELETE', '/api/user/anna')).json().error.code, 'delete.not_disabled')
  await call(shop, admin, 'PATCH', '/api/user/anna', { status: 'DISABLED' })
  assert.equal((await call(shop, admin, 'DELETE', '/api/user/anna')).statusCode, 204)
  assert.equal((await call(shop, admin, 'DELETE', '/api/user/anna')).statusCode, 404)
})

test('the second of two managers gets a conflict, and a call without a version works', async () => {
  await using shop = await testShop()
  const admin = await person(shop, 'admin', 'ADMIN')
  await person(shop, 'anna', 'USER')
  assert.equal(
    (await call(shop, admin, 'PATCH', '/api/user/anna', { fname: 'A', version: 1 })).statusCode,
    200,
  )
  const second = await call(shop, admin, 'PATCH', '/api/user/anna', { fname: 'B', version: 1 })
  assert.equal(second.statusCode, 409)
  assert.equal(second.json().error.current.fname, 'A')
  assert.equal((await call(shop, admin, 'PATCH', '/api/user/anna', { fname: 'C' })).json().fname, 'C')
})

test('the shop always keeps an active administrator, even when two demote each other', async () => {
  await using shop = await testShop()
  const one = await person(shop, 'one', 'ADMIN')
  const own = await call(shop, one, 'PATCH', '/api/user/one', { role: 'USER' })
  assert.equal(own.statusCode, 409)
  const two = await person(shop, 'two', 'ADMIN')
  const codes = await Promise.all([
    call(shop, one, 'PATCH', '/api/user/two', { role: 'USER' }),
    call(shop, two, 'PATCH', '/api/user/one', { role: 'USER' }),
  ])
  assert.ok(codes.some(({ statusCode }) => statusCode === 200))
  const [left] = await rows<{ n: number }>(
    shop.deps.db,
    sql`select count(*)::int as n from users where role = 'ADMIN' and status = 'ACTIVE'`,
  )
  assert.equal(left?.n, 1)
})

for (const [name, open] of testDatabases)
  test(`${name}: lists are searched, filtered, sorted and paged`, async () => {
    await using shop = await testShop({ open })
    const admin = await person(shop, 'admin', 'ADMIN')
    for (const id of ['b', 'a', 'c']) await person(shop, id, 'USER')
    const asked = async (query: string) => (await call(shop, admin, 'GET', `/api/user/all?${query}`)).json()
    const idsOf = ({ rows }: { rows: { _id: string }[] }) => rows.map(({ _id }) => _id)
    const page = await asked('sort=email&dir=desc&size=2&page=1')
    assert.deepEqual([page.total, idsOf(page)], [4, ['c', 'b']])
    assert.equal((await asked('q=a%40example')).total, 1)
    assert.equal((await asked('status=DISABLED')).total, 0)
    assert.equal((await call(shop, admin, 'GET', '/api/user/all?status=ODD')).statusCode, 400)

    const renamed = { fname: 'Zoë', lname: 'Ångström', phone: '0412 345 678' }
    await shop.deps.db.update(users).set(renamed).where(eq(users.id, 'c'))
    assert.deepEqual(idsOf(await asked('page=1')), ['c', 'a', 'admin', 'b'], 'by last name, then first')
    for (const q of ['zoe angstrom', 'ANGSTRÖM ZOË', '0412345678', '0412 345 678', 'c@EXAMPLE.org'])
      assert.deepEqual(idsOf(await asked(`q=${encodeURIComponent(q)}`)), ['c'], q)
    for (const q of ['%', '_', '\\', 'zoe sample'])
      assert.equal((await asked(`q=${encodeURIComponent(q)}`)).total, 0, q)
  })

test('names with control characters, of 10,000 characters or of the wrong type are refused with their path', async () => {
  await using shop = await testShop()
  const admin = await person(shop, 'admin', 'ADMIN')
  for (const fname of ['x'.repeat(10_000), 'a\u0000b', 'a\u202eb', 7, ''])
    assert.deepEqual(
      (await call(shop, admin, 'PATCH', '/api/user/admin', { fname }))
        .json()
        .error.fields.map((f: { path: string }) => f.path),
      ['fname'],
    )
})

test('no key can create, change or delete an administrator; it can manage other accounts', async () => {
  await using shop = await testShop()
  await person(shop, 'admin', 'ADMIN')
  await person(shop, 'old', 'ADMIN')
  await person(shop, 'anna', 'USER')
  await shop.deps.db.update(users).set({ status: 'DISABLED' }).where(eq(users.id, 'old'))
  const asked = { name: 'staff sync', rights: ['user:write' as const] }
  const { key } = await createApiKey(shop.deps.db, asked, 'test', shop.deps.now())
  const before = await shop.deps.db.select().from(users).orderBy(users.id)
  const refused: [id: string, patch: object][] = [
    ['anna', { role: 'ADMIN' }],
    ['anna', { fname: 'Anne', role: 'ADMIN', status: 'ACTIVE' }],
    ['admin', { role: 'USER' }],
    ['admin', { status: 'DISABLED' }],
    ['admin', { fname: 'Mallory' }],
    ['old', { status: 'ACTIVE' }],
  ]
  for (const [id, patch] of refused) {
    const reply = await call(shop, key, 'PATCH', `/api/user/${id}`, patch)
    const said = `${id} ${JSON.stringify(patch)}: ${reply.body}`
    assert.deepEqual([reply.statusCode, reply.json().error?.code], [403, 'auth.forbidden'], said)
  }
  assert.equal((await call(shop, key, 'DELETE', '/api/user/old')).statusCode, 403)
  assert.deepEqual(await shop.deps.db.select().from(users).orderBy(users.id), before)
  const whole = { ...before.find(({ id }) => id === 'anna'), fname: 'Anne', status: 'DISABLED' }
  const { fname, lname, role, status } = whole
  const changed = await call(shop, key, 'PATCH', '/api/user/anna', { fname, lname, role, status })
  assert.deepEqual([changed.statusCode, changed.json().fname], [200, 'Anne'])
  assert.equal((await call(shop, key, 'DELETE', '/api/user/anna')).statusCode, 204)
})

for (const [name, open] of testDatabases)
  test(`${name}: accounts that a search finds are listed and counted, of many without reading all of them`, async () => {
    await using shop = await testShop({ open })
    const { db } = shop.deps
    const admin = await person(shop, 'admin', 'ADMIN')
    await db.execute(sql`insert into users (id, fname, lname, email, email_key, phone, role, status, password_hash)
      select 'u' || n, 'Common', case when n % 1000 = 0 then 'Rare' else lpad(n::text, 5, '0') end, n || '@y.example',
        n || '@y.example', '04' || n, 'USER', case when n % 10 = 0 then 'DISABLED' else 'ACTIVE' end, 'none'
      from generate_series(1, 20000) n`)
    await db.execute(sql`analyze`)
    const list = async (asked: string) =>
      (await call(shop, admin, 'GET', `/api/user/all?${asked}&size=2`)).json()
    const seen = async (asked: string) => {
      const { rows, total, atLeast } = await list(asked)
      return [rows.map(({ _id }: { _id: string }) => _id), total, atLeast]
    }
    const readBefore = await fetched(shop.deps.db)
    assert.deepEqual(await seen('q=common'), [['u1', 'u2'], 1_000, true])
    assert.ok((await fetched(shop.deps.db)) - readBefore < 5_000, 'of all twenty thousand a few are read')
    assert.deepEqual(await seen('q=common&status=DISABLED'), [['u10', 'u20'], 1_000, true])
    assert.deepEqual(await seen('q=rare+common'), [['u10000', 'u1000'], 20, undefined])
    assert.deepEqual(await seen('q=nobody'), [[], 0, undefined])
    const { next } = await list('q=common')
    assert.deepEqual((await list(`q=common&after=${next}`)).rows[0]._id, 'u3')
  })

for (const [name, open] of testDatabases.filter(([name]) => name === 'PostgreSQL'))
  test(`${name}: of a family that is no tenth of all accounts no others are read, wherever its name stands`, async () => {
    await using shop = await testShop({ open })
    const { db } = shop.deps
    await db.execute(sql`insert into users (id, fname, lname, email, email_key, phone, role, status, password_hash)
      select 'u' || n, lpad(n::text, 5, '0'), case when n % 14 = 0 then 'Zimmer' else 'Common' end, n || '@y.example',
        n || '@y.example', '04' || n, 'USER', case when n % 10 = 0 then 'DISABLED' else 'ACTIVE' end, 'none'
      from generate_series(1, 20000) n`)
    await db.execute(sql`analyze`)
    await db.transaction(async (tx) => {
      const list = (query: Parameters<typeof userReads.listUsers>[1]['query']) =>
        userReads.listUsers(
          { db: tx, secrets: shop.deps.secrets },
          { query, params: {}, principal: { kind: 'anonymous' }, signal: undefined },
        )
      for (const [query, first, total] of [
        [{ q: 'zimmer' }, 'u14', 1_428],
        [{ q: 'zimmer', status: 'DISABLED' }, 'u70', 285],
        [{ q: 'zimmer', sort: 'created' }, 'u10010', 1_428],
      ] as const) {
        let found: Awaited<ReturnType<typeof list>> | undefined
        const read = await rowsRead(tx, ['users'], async () => {
          found = await list({ ...query, size: 2 })
        })
        assert.ok(found !== undefined && !Array.isArray(found))
        assert.deepEqual([found.rows[0]?._id, found.total, found.atLeast], [first, total, undefined])
        assert.ok(read.users < 10_000, `${JSON.stringify(query)}: ${read.users}`)
      }
    })
  })

/** Rows of accounts that were read, by what the database counted of this session and of those that ended. */
async function fetched(db: TestShop['deps']['db']): Promise<number> {
  await db.execute(sql`select pg_stat_force_next_flush()`)
  const [counted] = await rows<{ n: number }>(
    db,
    sql`select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_user_tables where relname = 'users'`,
  )
  return counted?.n ?? 0
}
