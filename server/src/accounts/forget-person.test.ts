import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { signIn } from '#server/accounts/sign-in/sign-in.ts'
import { ACTIVATION_QUEUE } from '#server/accounts/sign-up/sign-up.ts'
import { rows } from '#server/db/client.ts'
import { purge } from '#server/db/retention.ts'
import { users } from '#server/db/schema/accounts.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { orders, slots } from '#server/db/schema/orders.ts'
import { categories, changes, products } from '#server/db/schema/shop.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { placeOrder } from '#server/orders/place-order.ts'
import { cheapPasswords, makeUser, somewhere } from '#server/testing/accounts.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { mailPasswordChanged } from './account-emails.ts'
import { accountRetention } from './retention.ts'
import { issueToken } from './tokens.ts'

/** All that says who somebody is. */
const zoe = {
  email: 'Zoe.Quill@example.com',
  fname: 'Zoë',
  lname: 'Quillfeather',
  phone: '0412987654',
  password: 'right one',
}
/** "zoe" as a word: three letters also turn up by chance in what is sealed or hashed. */
const PERSONAL = /(?<![\w-])zo[eë](?![\w-])|quill|0412987654|203\.0\.113\.7/i

/** Every row of every table that says who she is, as text. */
async function traces({ deps }: TestShop): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    deps.db,
    sql`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
        where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables)
    for (const { row } of await rows<{ row: string }>(
      deps.db,
      sql`select t::text as row from ${sql.raw(name)} t`,
    ))
      if (PERSONAL.test(row)) found.push(`${name}: ${row}`)
  return found
}

/** An order of hers, and another whose contact is a second address. */
async function order(shop: TestShop, userId: string): Promise<void> {
  const { db } = shop.deps
  await db.insert(categories).values({ id: 'c', title: 'Ice', titleKey: 'ice', shelfPos: '1' })
  await db.insert(products).values({ id: 'ice', title: 'Ice', categoryId: 'c' })
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000)
  const times = { startsAt: at(2), endsAt: at(3), cutOffAt: at(1), timeZone: 'UTC' }
  const area = ['2009']
  await db.insert(slots).values({ id: 's', kind: 'delivery', area, capacity: 9, ...times })
  const principal = {
    kind: 'user',
    userId,
    fname: '',
    role: 'USER',
    rights: [],
    sessionId: '',
    via: 'bearer',
  } as const
  for (const [i, email] of [zoe.email, 'quill@example.org'].entries()) {
    const { fname, lname, phone } = zoe
    const address = { street: '7 Quill St', suburb: 'Pyrmont', state: 'NSW' as const, postcode: '2009' }
    const input = {
      lines: [{ product_id: 'ice', quantity: 1 }],
      contact: { fname, lname, email, phone },
      fulfilment: { kind: 'delivery' as const, slot: 's', address },
      note: 'Ring at Zoe',
    }
    const request = { keyHash: `key ${i}`, fingerprint: 'f' }
    await placeOrder(shop.deps, principal, input, { request, network: '203.0.113.7' })
  }
}

async function leaveTraces(shop: TestShop): Promise<string> {
  const { deps } = shop
  const { fname, lname, phone } = zoe
  const id = await makeUser(shop, zoe)
  await deps.db.update(users).set({ fname, lname, phone }).where(eq(users.id, id))
  await signIn(deps, zoe, somewhere)
  const signUp = { fname, lname, phone, passwordHash: 'x' }
  await deps.db.transaction(async (tx) => {
    await issueToken(tx, 'activate', { userId: id, signUp }, deps.now())
    await mailPasswordChanged(tx, deps, zoe.email) // given up below by a manager
    await mailPasswordChanged(tx, deps, zoe.email) // will be held up, with a reply that quotes the address
    await mailPasswordChanged(tx, deps, zoe.email) // waits
    await enqueue(tx, ACTIVATION_QUEUE, { email: 'ZOE.QUILL@EXAMPLE.COM', base: 'https://shop.example' })
  })
  const lastError = `The mail server refuses this address: <${zoe.email}> unknown`
  await deps.db.update(jobs).set({ lastError, failedAt: new Date() }).where(sql`id < 3`)
  return id
}

for (const [name, open] of testDatabases)
  test(`${name}: nothing identifies a deleted account; its actions stay in the history`, async () => {
    await using shop = await testShop({ open, deps: { passwords: cheapPasswords } })
    const admin = await callerOf(shop, 'admin', 'ADMIN')
    const other = await makeUser(shop, { email: 'other@example.com', password: 'right one' })
    const id = await leaveTraces(shop)
    await order(shop, id)
    const [first] = (await admin('GET', '/api/manage/mail')).json().rows
    assert.equal((await admin('DELETE', `/api/manage/mail/${first._id}`)).statusCode, 204)
    const disabled = { fname: 'Zoe', status: 'DISABLED' }
    assert.equal((await admin('PATCH', `/api/user/${id}`, disabled)).statusCode, 200)
    await admin('PATCH', `/api/user/${other}`, { fname: 'Otto' })
    await shop.deps.db.transaction((tx) => mailPasswordChanged(tx, shop.deps, 'other@example.com'))
    const found = (await traces(shop)).map((trace) => trace.split(':')[0])
    for (const table of ['users', 'one_time_tokens', 'jobs', 'changes', 'order_contacts'])
      assert.ok(found.includes(`public.${table}`), `nothing is to be forgotten in ${table}`)
    assert.equal((await admin('DELETE', `/api/user/${id}`)).statusCode, 204)
    assert.deepEqual(await traces(shop), [])
    assert.equal(await shop.deps.db.$count(orders), 2, 'what was sold stays')
    assert.equal(await shop.deps.db.$count(jobs, sql`payload->>'kind' = 'order-placed'`), 0)
    const history = (await admin('GET', `/api/history?entity=user&id=${id}`)).json().rows
    assert.deepEqual(
      history.map(({ action, who, before, after }: Record<string, unknown>) => [action, who, before, after]),
      [
        ['delete', 'admin Sample', { role: 'USER', status: 'DISABLED' }, null],
        ['update', 'admin Sample', { status: 'ACTIVE' }, { status: 'DISABLED' }],
      ],
    )
    const others = (await admin('GET', `/api/history?entity=user&id=${other}`)).json().rows
    assert.deepEqual(others[0].after, { fname: 'Otto' })
    const mails = (await admin('GET', '/api/history?entity=mail')).json().rows
    assert.equal(mails[0].before.letter, 'notice of a changed password')
    assert.equal(await shop.deps.db.$count(jobs, sql`payload->>'to' = 'other@example.com'`), 1)
  })

test('the daily job purges what an earlier version kept about deleted accounts', async () => {
  await using shop = await testShop()
  const { fname, lname, phone, email } = zoe
  const person = {
    _id: 'gone',
    fname,
    lname,
    phone,
    email,
    role: 'USER',
    rights: [],
    status: 'DISABLED',
    version: 3,
  }
  const row = { who: 'admin', entity: 'user', entityId: 'gone' } as const
  await shop.deps.db.insert(changes).values([
    { ...row, action: 'update', before: { fname: 'Zoe' }, after: { fname } },
    { ...row, action: 'delete', before: person, after: null },
  ])
  await purge(shop.deps.db, shop.deps.now(), accountRetention)
  await purge(shop.deps.db, shop.deps.now(), accountRetention)
  assert.deepEqual(await traces(shop), [])
  const left = await shop.deps.db.select().from(changes).orderBy(changes.id)
  assert.deepEqual(
    left.map(({ before, after }) => [before, after]),
    [
      [{}, {}],
      [{ role: 'USER', status: 'DISABLED' }, null],
    ],
  )
})
