import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@befaqt/domain/durations'
import type { Right } from '@befaqt/domain/rights'
import { eq, sql } from 'drizzle-orm'
import { startSession } from '#server/accounts/sessions/sessions.ts'
import { rows } from '#server/db/client.ts'
import { isStaff, users } from '#server/db/schema/accounts.ts'
import { products } from '#server/db/schema/shop.ts'
import { interactiveJobs } from '#server/job-registry.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { cheapPasswords, somewhere, tokenIn } from '#server/testing/accounts.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { placedOrder } from '#server/testing/complaints.ts'
import { testDatabases } from '#server/testing/database.ts'
import { shopWithOrders } from '#server/testing/orders.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const password = 'correct horse battery'
const person = { fname: 'Pat', lname: 'Acker', phone: '0412 345 678', password, confirmPassword: password }

const silent = { warn: () => undefined, error: () => undefined }

/** A shop whose clock can be moved, with its emails. */
async function staffShop(more?: Parameters<typeof testShop>[0]) {
  let now = new Date('2026-11-26T01:00:00Z')
  const mail: EmailMessage[] = []
  const mailer = {
    send: async (message: EmailMessage) => void mail.push(message),
    close: async () => undefined,
  }
  const shop = await testShop({ ...more, deps: { now: () => now, mailer, passwords: cheapPasswords } })
  const post = () =>
    runDueJobs(shop.deps.db, interactiveJobs(shop.deps), silent, new AbortController().signal)
  const wait = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  return { ...shop, mail, post, wait }
}
type StaffShop = Awaited<ReturnType<typeof staffShop>>

/** Invites somebody; answers the token of the link that came. */
async function invited(shop: StaffShop, owner: Caller, email: string, rights: Right[]): Promise<string> {
  const made = await owner('POST', '/api/manage/staff/invitation', { email, rights })
  assert.equal(made.statusCode, 201, made.body)
  await shop.post()
  return tokenIn(shop.mail.filter(({ to, kind }) => kind === 'staff-invited' && to === email).at(-1))
}

const join = (shop: TestShop, body: object) =>
  shop.app.inject({ method: 'POST', url: '/api/user/staff/join', payload: body })
const read = (shop: TestShop, token: string) =>
  shop.app.inject({ method: 'POST', url: '/api/user/staff', payload: { token } })

async function signedIn({ deps, app }: TestShop, email: string): Promise<(url: string) => Promise<number>> {
  const [user] = await deps.db.select().from(users).where(eq(users.emailKey, email))
  if (user === undefined) throw new Error('there is no such account')
  const { token } = await deps.db.transaction((tx) => startSession(tx, user.id, somewhere, deps.now()))
  return async (url) => (await app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode
}

for (const [name, open] of testDatabases)
  test(`${name}: who is invited by email works with the rights of the invitation, until they are taken away`, async () => {
    await using shop = await staffShop({ open })
    const owner = await callerOf(shop, 'olga', 'ADMIN')
    const token = await invited(shop, owner, 'pat@example.org', ['order:write'])
    assert.deepEqual((await read(shop, token)).json().hasAccount, false)
    const nobody = await join(shop, { token })
    assert.equal(nobody.json().error.fields[0].path, 'person')
    assert.equal((await join(shop, { token, person })).statusCode, 201)
    assert.equal((await join(shop, { token, person })).json().error.reason, 'used')
    const asks = await signedIn(shop, 'pat@example.org')
    assert.deepEqual(
      [await asks('/api/order/all'), await asks('/api/user/all'), await asks('/api/manage/staff')],
      [200, 403, 403],
    )
    const [, pat] = (await owner('GET', '/api/manage/staff')).json().people
    assert.deepEqual([pat.name, pat.rights, pat.hasSecondFactor], ['Pat Acker', ['order:write'], false])
    const url = `/api/manage/staff/${pat._id}`
    const stale = await owner('PUT', url, { rights: ['shop:write'] }, { 'if-match': '"1"' })
    assert.equal(stale.json().error.code, 'version.stale')
    const none = await owner('PUT', url, { rights: [] }, { 'if-match': `"${pat.version}"` })
    assert.equal(none.statusCode, 200, none.body)
    assert.deepEqual([await asks('/api/order/all'), await asks('/api/user')], [403, 200])
    assert.equal((await owner('PUT', url, { rights: ['shop:write'] })).statusCode, 409)
    const said = await rows<{ action: string; after: unknown }>(
      shop.deps.db,
      sql`select action, after from changes where entity = 'staff' order by id`,
    )
    assert.equal(said.length, 3)
    assert.deepEqual(said.at(-1)?.after, { rights: [] })
  })

test('a link works once, for its address alone, for a week, and not once it was replaced or revoked', async () => {
  await using shop = await staffShop()
  const owner = await callerOf(shop, 'olga', 'ADMIN')
  const first = await invited(shop, owner, 'pat@example.org', ['order:read'])
  const second = await invited(shop, owner, 'PAT@example.org', ['shop:write'])
  assert.equal((await read(shop, first)).json().error.reason, 'unknown')
  const other = { token: second, person, email: 'eve@example.org' }
  assert.equal((await join(shop, other)).json().error.code, 'input.invalid', 'by another address')
  shop.wait(7 * DAY_MS)
  assert.equal((await join(shop, { token: second, person })).json().error.reason, 'expired')
  const later = await callerOf(shop, 'otto', 'ADMIN') // who has just logged in
  const third = await invited(shop, later, 'pat@example.org', ['shop:write'])
  const { invitations } = (await owner('GET', '/api/manage/staff')).json()
  assert.equal(invitations.length, 1)
  assert.equal((await owner('DELETE', `/api/manage/staff/invitation/${invitations[0].id}`)).statusCode, 204)
  assert.equal((await join(shop, { token: third, person })).json().error.reason, 'unknown')
  assert.equal((await owner('GET', '/api/manage/staff')).json().people.length, 2)
})

test('an account that is there keeps name and password; one that nobody activated is made anew by who holds the link', async () => {
  await using shop = await staffShop()
  const owner = await callerOf(shop, 'olga', 'ADMIN')
  await callerOf(shop, 'ann', 'USER')
  const token = await invited(shop, owner, 'ann@example.org', ['shop:write'])
  assert.equal((await read(shop, token)).json().hasAccount, true)
  assert.equal((await join(shop, { token, person })).statusCode, 201)
  const account = async (email: string) =>
    (await shop.deps.db.select().from(users).where(eq(users.emailKey, email)))[0]
  const ann = await account('ann@example.org')
  assert.deepEqual([ann?.fname, ann?.passwordHash, ann?.rights], ['ann', 'none', ['shop:write']])

  const strangers = 'the password of a stranger'
  const typed = { password: strangers, confirmPassword: strangers }
  const signUp = { ...person, ...typed, fname: 'Eve', email: 'bea@example.org' }
  await shop.app.inject({ method: 'POST', url: '/api/user/signUp', payload: signUp })
  await shop.post()
  const forBea = await invited(shop, owner, 'bea@example.org', ['shop:write'])
  assert.equal((await read(shop, forBea)).json().hasAccount, false)
  assert.equal((await join(shop, { token: forBea, person })).statusCode, 201)
  const bea = await account('bea@example.org')
  assert.deepEqual([bea?.fname, bea?.status, bea?.rights], ['Pat', 'ACTIVE', ['shop:write']])
  const sentBefore = tokenIn(shop.mail.find(({ kind }) => kind === 'activation'))
  const late = await shop.app.inject({
    method: 'POST',
    url: '/api/user/activate',
    payload: { token: sentBefore },
  })
  assert.equal(late.json().error.code, 'token.invalid', 'what the stranger was sent is void')
  assert.equal((await account('bea@example.org'))?.fname, 'Pat')
})

test('owners, suppliers and disabled accounts can’t be invited, and only an owner invites', async () => {
  await using shop = await testShop()
  const owner = await callerOf(shop, 'olga', 'ADMIN')
  const manager = await callerOf(shop, 'mia', 'USER', ['user:write', 'shop:write'])
  await callerOf(shop, 'sam', 'SUPPLIER')
  await callerOf(shop, 'dan', 'USER')
  await shop.deps.db.update(users).set({ status: 'DISABLED' }).where(eq(users.id, 'dan'))
  const invite = (call: Caller, email: string) =>
    call('POST', '/api/manage/staff/invitation', { email, rights: ['shop:write'] })
  await callerOf(shop, 'ina', 'USER')
  await shop.deps.db
    .update(users)
    .set({ status: 'INACTIVE', activatedAt: new Date() })
    .where(eq(users.id, 'ina'))
  for (const id of ['olga', 'sam', 'dan', 'ina', 'mia'])
    assert.equal((await invite(owner, `${id}@example.org`)).statusCode, 409, id)
  const fisher = { traderID: 'T-1', traderName: 'Mia', companyName: '', boat: '', address: '' }
  const asSupplier = { email: 'mia@example.org', fisher }
  const refused = await owner('POST', '/api/manage/supplier/invitation', asSupplier)
  assert.equal(refused.statusCode, 409, 'rights don’t go along into another role')
  assert.equal((await invite(manager, 'new@example.org')).statusCode, 403)
  const bad = await owner('POST', '/api/manage/staff/invitation', { email: 'x', rights: ['root'] })
  assert.deepEqual(
    bad.json().error.fields.map(({ path }: { path: string }) => path),
    ['email', 'rights[0]'],
  )
})

test('staff who manage accounts touch neither roles nor other staff, and rights don’t come back with a role', async () => {
  await using shop = await testShop()
  const owner = await callerOf(shop, 'olga', 'ADMIN')
  const manager = await callerOf(shop, 'mia', 'USER', ['user:write'])
  await callerOf(shop, 'pat', 'USER', ['order:write'])
  await callerOf(shop, 'ann', 'USER')
  const change = async (call: Caller, id: string, body: object) =>
    (await call('PATCH', `/api/user/${id}`, body)).statusCode
  assert.deepEqual(
    [
      await change(manager, 'ann', { status: 'DISABLED' }),
      await change(manager, 'ann', { role: 'ADMIN' }),
      await change(manager, 'pat', { status: 'DISABLED' }),
      await change(manager, 'olga', { fname: 'Eve' }),
      (await manager('DELETE', '/api/user/pat')).statusCode,
    ],
    [200, 403, 403, 403, 403],
  )
  assert.deepEqual(
    [await change(owner, 'pat', { role: 'ADMIN' }), await change(owner, 'pat', { role: 'USER' })],
    [200, 200],
  )
  const [pat] = await shop.deps.db.select().from(users).where(eq(users.id, 'pat'))
  assert.deepEqual(pat?.rights, [])
})

test('what needs attention and what was changed is told as far as rights go', async () => {
  await using shop = await shopWithOrders()
  await shop.deps.db.update(products).set({ stock: 0 })
  const owner = await callerOf(shop, 'olga', 'ADMIN')
  const packer = await callerOf(shop, 'pat', 'USER', ['order:write'])
  const keeper = await callerOf(shop, 'kim', 'USER', ['shop:write'])
  const history = async (call: Caller, entity: string) =>
    (await call('GET', `/api/history?entity=${entity}`)).statusCode
  assert.deepEqual([await history(keeper, 'product'), await history(keeper, 'user')], [200, 403])
  assert.deepEqual([await history(packer, 'slot'), await history(packer, 'key')], [200, 403])
  assert.equal(await history(owner, 'staff'), 200)
  const kinds = async (call: Caller) =>
    new Set((await call('GET', '/api/manage/attention')).json().map(({ kind }: { kind: string }) => kind))
  assert.ok((await kinds(owner)).has('out-of-stock'))
  assert.ok((await kinds(keeper)).has('out-of-stock'))
  assert.ok(!(await kinds(packer)).has('out-of-stock'))
})

test('the email of an invitation that was revoked meanwhile is not sent, that of the next one is', async () => {
  await using shop = await staffShop()
  const owner = await callerOf(shop, 'olga', 'ADMIN')
  const invite = (rights: Right[]) =>
    owner('POST', '/api/manage/staff/invitation', { email: 'pat@example.org', rights })
  const { id } = (await invite(['shop:write'])).json()
  assert.equal((await owner('DELETE', `/api/manage/staff/invitation/${id}`)).statusCode, 204)
  await invite(['box:write'])
  await invite(['order:read'])
  await shop.post()
  assert.deepEqual(
    shop.mail.map(({ text }) => /for: (.*)\./.exec(text)?.[1]),
    ['orders and invoices, to look at'],
  )
})

for (const [name, open] of testDatabases)
  test(`${name}: the few who work at the desk are found by their own index`, async () => {
    await using shop = await testShop({ open })
    const { db } = shop.deps
    const plan = await db.transaction(async (tx) => {
      await rows(tx, sql`set local enable_seqscan = off`)
      return rows<Record<string, string>>(tx, sql`explain select id from users where ${isStaff}`)
    })
    assert.match(JSON.stringify(plan), /users_staff/)
  })

test('who may look at orders changes none, not by the calls of their buyers either', async () => {
  await using shop = await shopWithOrders()
  const { id } = await placedOrder(shop)
  const reader = await callerOf(shop, 'ari', 'USER', ['order:read'])
  assert.equal((await reader('GET', `/api/order/${id}`)).statusCode, 200)
  assert.equal((await reader('GET', `/api/order/${id}/manage`)).statusCode, 200)
  const key = { 'idempotency-key': 'a key of its own' }
  const tried = [
    await reader('PATCH', `/api/order/${id}`, { status: 'CANCELLED', version: 1 }),
    await reader('POST', `/api/order/${id}/cancellation`, { reason: '' }),
    await reader('POST', `/api/order/${id}/amendment`, { version: 1, note: 'mine' }, key),
  ]
  assert.deepEqual(
    tried.map(({ statusCode }) => statusCode),
    [403, 404, 404],
  )
  assert.equal((await reader('GET', `/api/order/${id}`)).json().status, 'PLACED')
})
