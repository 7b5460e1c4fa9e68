import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq, sql } from 'drizzle-orm'
import { hashToken } from '#server/accounts/tokens.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { sessions, users } from '#server/db/schema/accounts.ts'
import {
  type TestDb,
  testDatabases,
  testDb,
  testPostgres,
  withoutPostgres,
} from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { openSessionStore } from './session-store.ts'
import { endSession, endSessions, startSession } from './sessions.ts'

const now = new Date('2026-03-02T06:00:00Z')
const client = { device: 'test', address: '127.0.0.1', network: '127.0.0.1', deviceToken: undefined }

const addUser = (db: Db, id: string, role: 'USER' | 'ADMIN') =>
  db.insert(users).values({
    ...{ id, role, fname: 'Ada', lname: 'Sample', phone: '', email: `${id}@example.org`, emailKey: id },
    ...{ status: 'ACTIVE', passwordHash: 'none' },
  })

/** An account with one session, that was looked up before anything is done to it. */
async function lookedUp(database: TestDb) {
  const open = await openSessionStore(database)
  await addUser(database.db, 'ada', 'USER')
  const { token } = await database.db.transaction((tx) => startSession(tx, 'ada', client, now))
  const find = () => open(hashToken(token))
  const session = await find()
  assert.ok(session)
  return { find, session, db: database.db }
}

const account = (change: Partial<typeof users.$inferInsert>) => (tx: Tx) =>
  tx.update(users).set(change).where(eq(users.id, 'ada'))

for (const [name, open] of testDatabases) {
  for (const [what, change] of [
    ['DISABLED', account({ status: 'DISABLED' })],
    ['INACTIVE', account({ status: 'INACTIVE' })],
    ['logging out', (tx: Tx) => endSessions(tx, 'ada')],
    ['deleting the account', (tx: Tx) => tx.delete(users).where(eq(users.id, 'ada'))],
    ['deleting whatever there is', (tx: Tx) => rows(tx, sql`truncate ${users} cascade`)],
    ['a new token hash', (tx: Tx) => tx.update(sessions).set({ tokenHash: 'another' })],
  ] as const)
    test(`${name}: ${what} ends a cached session at the next lookup`, async () => {
      await using database = await open()
      const { find, db } = await lookedUp(database)
      await db.transaction(async (tx) => void (await change(tx)))
      assert.equal(await find(), undefined)
      assert.equal(await find(), undefined)
    })

  test(`${name}: a changed role, name or expiry is in the next lookup, and a rolled-back one is not`, async () => {
    await using database = await open()
    const { find, session, db } = await lookedUp(database)
    await account({ role: 'ADMIN' })(db as Tx)
    assert.equal((await find())?.role, 'ADMIN')
    await account({ fname: 'Grace' })(db as Tx)
    assert.equal((await find())?.fname, 'Grace')
    const sooner = new Date(now.getTime() + 1_000)
    await db.update(sessions).set({ expiresAt: sooner }).where(eq(sessions.id, session.sessionId))
    assert.deepEqual((await find())?.expiresAt, sooner)
    const takenBack = db.transaction(async (tx) => {
      await account({ status: 'DISABLED' })(tx)
      throw new Error('taken back')
    })
    await assert.rejects(takenBack, /taken back/)
    assert.equal((await find())?.role, 'ADMIN')
  })

  test(`${name}: a lookup under way when the session ends is not cached`, async () => {
    await using database = await open()
    const { find, session, db } = await lookedUp(database)
    await account({ fname: 'Grace' })(db as Tx)
    const [underWay] = await Promise.all([find(), endSession(db, 'ada', session.sessionId)])
    assert.equal(underWay?.fname, 'Grace', 'it came first')
    assert.equal(await find(), undefined)
  })

  test(`${name}: a session created after a failed lookup of its token is found`, async () => {
    await using database = await open()
    const { find, session, db } = await lookedUp(database)
    const [row] = await db.delete(sessions).returning()
    assert.ok(row)
    assert.equal(await find(), undefined)
    await db.insert(sessions).values(row)
    assert.equal((await find())?.sessionId, session.sessionId)
    await account({ status: 'INACTIVE' })(db as Tx)
    assert.equal(await find(), undefined)
    await account({ status: 'ACTIVE' })(db as Tx)
    assert.equal((await find())?.sessionId, session.sessionId)
  })
}

test('the embedded database is queried once while nothing changes', async () => {
  await using database = await testDb()
  const { find, session, db } = await lookedUp(database)
  assert.strictEqual(await find(), session)
  await db.update(sessions).set({ lastUsedAt: now })
  await account({ phone: '0400 000 000' })(db as Tx)
  assert.strictEqual(await find(), session, 'nothing of this decides who is let in')
  await account({ role: 'ADMIN' })(db as Tx)
  assert.notStrictEqual(await find(), session)
})

/** Two web processes of one shop, as far as what they keep in memory goes. */
async function twoProcesses(): Promise<AsyncDisposable & { one: TestShop; two: TestShop }> {
  const database = await testPostgres()
  const one = await testShop({ open: async () => database })
  const another = await openPostgres(database.url, () => undefined)
  const open = async () => ({ ...another, [Symbol.asyncDispose]: another.close })
  const two = await testShop({ open, deps: { secrets: one.deps.secrets } })
  const dispose = async () => {
    await two[Symbol.asyncDispose]()
    await one[Symbol.asyncDispose]()
  }
  return { one, two, [Symbol.asyncDispose]: dispose }
}

/** An account with a session, and its calls to either process. */
async function signedIn({ deps }: TestShop, id: string) {
  await addUser(deps.db, id, 'ADMIN')
  const { token } = await deps.db.transaction((tx) => startSession(tx, id, client, deps.now()))
  const headers = { authorization: `Bearer ${token}` }
  return (shop: TestShop, method: 'GET' | 'PATCH' | 'POST' | 'DELETE', url: string, payload?: object) =>
    shop.app.inject({ method, url, headers, ...(payload && { payload }) })
}

test('a session ended in one process has ended in the other when the call returns', {
  skip: withoutPostgres,
}, async () => {
  await using shops = await twoProcesses()
  const { one, two } = shops
  const boss = await signedIn(one, 'boss')
  for (const [id, method, url, payload, want] of [
    ['demoted', 'PATCH', '/api/user/demoted', { role: 'USER' }, [401, null]],
    ['disabled', 'PATCH', '/api/user/disabled', { status: 'DISABLED' }, [401, null]],
    ['inactive', 'PATCH', '/api/user/inactive', { status: 'INACTIVE' }, [401, null]],
    ['left', 'POST', '/api/user/signOut', {}, [401, null]],
    ['renamed', 'PATCH', '/api/user/renamed', { fname: 'Grace' }, [200, 'Grace']],
  ] as const) {
    const call = await signedIn(one, id)
    for (const shop of [one, two])
      assert.equal((await call(shop, 'GET', '/api/manage/attention')).statusCode, 200)
    const acting = id === 'left' ? call : boss
    assert.ok((await acting(one, method, url, payload)).statusCode < 300, id)
    const { statusCode } = await call(two, 'GET', '/api/manage/attention')
    const viewer = (await call(two, 'GET', '/api/viewer')).json()
    assert.deepEqual([statusCode, viewer?.fname ?? null], want, id)
  }
})
