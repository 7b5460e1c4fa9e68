import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { argon2Passwords } from '#server/accounts/credentials/passwords.ts'
import { authenticateSession } from '#server/accounts/sessions/authenticate.ts'
import { endSession, endSessions, listSessions } from '#server/accounts/sessions/sessions.ts'
import { hashToken } from '#server/accounts/tokens.ts'
import { knownDevices, sessions, users } from '#server/db/schema/accounts.ts'
import { makeUser, somewhere, testAccounts } from '#server/testing/accounts.ts'
import { testDatabases } from '#server/testing/database.ts'
import { signIn } from './sign-in.ts'

const right = { email: 'ann@example.com', password: 'right one' }
const wrong = { ...right, password: 'wrong one' }

for (const [name, open] of testDatabases) {
  test(`${name}: signing in makes a session of 365 days under a new token that only the holder has`, async () => {
    await using t = await testAccounts(open)
    const userId = await makeUser(t, { email: 'ann@example.com', password: 'right one' })
    const into = await signIn(t.deps, right, somewhere)
    const [session] = await t.deps.db.select().from(sessions)
    assert.equal(session?.tokenHash, hashToken(into?.token ?? ''))
    assert.equal((session?.expiresAt.getTime() ?? 0) - t.deps.now().getTime(), 365 * 86_400_000)
    const principal = await authenticateSession(t.deps, into?.token ?? '', 'cookie')
    assert.deepEqual(principal.kind === 'user' && [principal.userId, principal.role], [userId, 'USER'])
    t.wait(365 * 86_400)
    assert.equal((await authenticateSession(t.deps, into?.token ?? '', 'cookie')).kind, 'anonymous')
  })

  test(`${name}: sessions are listed with device and last use, and end one by one or all but one`, async () => {
    await using t = await testAccounts(open)
    const userId = await makeUser(t, right)
    const other = await makeUser(t, { ...right, email: 'eve@example.com' })
    const phone = await signIn(t.deps, right, { ...somewhere, device: 'Safari on iPhone' })
    t.wait(3_600)
    await signIn(t.deps, right, somewhere)
    await authenticateSession(t.deps, phone?.token ?? '', 'cookie')
    const list = await listSessions(t.deps.db, userId, 'none', t.deps.now())
    assert.deepEqual(list.map(({ device, lastUsedAt }) => [device, lastUsedAt]).sort(), [
      ['Firefox on Linux', '2026-03-02T07:00:00.000Z'],
      ['Safari on iPhone', '2026-03-02T07:00:00.000Z'],
    ])
    const id = list[0]?.id ?? ''
    await assert.rejects(endSession(t.deps.db, other, id), { code: 'not_found' })
    await endSessions(t.deps.db, userId, id)
    assert.deepEqual(
      (await listSessions(t.deps.db, userId, id, t.deps.now())).map((s) => [s.id, s.current]),
      [[id, true]],
    )
    await endSession(t.deps.db, userId, id)
    assert.deepEqual(await t.deps.db.select().from(sessions), [])
  })

  test(`${name}: an account that is not ACTIVE has no sessions and cannot sign in`, async () => {
    await using t = await testAccounts(open)
    const id = await makeUser(t, right)
    const token = (await signIn(t.deps, right, somewhere))?.token ?? ''
    for (const [status, code] of [
      ['DISABLED', 'account.disabled'],
      ['INACTIVE', 'account.inactive'],
    ] as const) {
      await t.deps.db.update(users).set({ status }).where(eq(users.id, id))
      assert.equal((await authenticateSession(t.deps, token, 'bearer')).kind, 'anonymous')
      await assert.rejects(signIn(t.deps, right, somewhere), { code })
      await assert.rejects(signIn(t.deps, wrong, somewhere), { code: 'signin.refused' })
    }
  })

  test(`${name}: guessing from one network is delayed, and the owner can sign in from another`, async () => {
    await using t = await testAccounts(open)
    await makeUser(t, right)
    for (let i = 0; i < 10; i++)
      await assert.rejects(signIn(t.deps, wrong, somewhere), { code: 'signin.refused' })
    await assert.rejects(signIn(t.deps, right, somewhere), {
      code: 'rate.limited',
      details: { retryAfterS: 10 },
    })
    assert.ok(await signIn(t.deps, right, { ...somewhere, network: 'home' }))
    t.wait(10)
    assert.ok(await signIn(t.deps, right, somewhere))
    assert.ok(await signIn(t.deps, right, somewhere), 'the right password starts the count anew')
  })

  test(`${name}: distributed guessing never locks out a browser known to the account`, async () => {
    await using t = await testAccounts(open)
    await makeUser(t, right)
    const home = await signIn(t.deps, right, { ...somewhere, network: 'home' })
    for (let i = 0; i < 40; i++)
      await assert.rejects(signIn(t.deps, wrong, { ...somewhere, network: `bot ${i}` }))
    await assert.rejects(signIn(t.deps, right, { ...somewhere, network: 'cafe' }), { code: 'rate.limited' })
    const known = { ...somewhere, network: 'cafe', deviceToken: home?.deviceToken }
    assert.ok(await signIn(t.deps, right, known))
    t.wait(15 * 60)
    assert.ok(await signIn(t.deps, right, { ...somewhere, network: 'cafe' }), 'the longest wait is over')
  })
}

test('a browser known to one account is unknown to another', async () => {
  await using t = await testAccounts()
  await makeUser(t, right)
  await makeUser(t, { email: 'eve@example.com', password: 'right one' })
  const eve = await signIn(t.deps, { email: 'eve@example.com', password: 'right one' }, somewhere)
  const client = { ...somewhere, deviceToken: eve?.deviceToken }
  for (let i = 0; i < 10; i++) await assert.rejects(signIn(t.deps, wrong, client), { code: 'signin.refused' })
  await assert.rejects(signIn(t.deps, wrong, { ...somewhere, deviceToken: undefined }), {
    code: 'rate.limited',
  })
})

test('a device cookie that we did not issue is ignored', async () => {
  await using t = await testAccounts()
  await makeUser(t, right)
  const into = await signIn(t.deps, right, { ...somewhere, deviceToken: 'chosen by somebody else' })
  assert.match(into?.deviceToken ?? '', /^[\w-]{43}$/)
  const [device] = await t.deps.db.select().from(knownDevices)
  assert.equal(device?.hash, hashToken(into?.deviceToken ?? ''))
})

test('an email without an account costs the same time, gets the same response and has the same limits', async () => {
  await using t = await testAccounts()
  await makeUser(t, right)
  const compared: (string | undefined)[] = []
  const passwords = {
    ...t.deps.passwords,
    matches: (password: string, hashed: string | undefined) => {
      compared.push(hashed)
      return t.deps.passwords.matches(password, hashed)
    },
  }
  const deps = { ...t.deps, passwords }
  const nobody = { ...wrong, email: 'nobody@example.com' }
  const refusalOf = (input: typeof wrong) =>
    signIn(deps, input, somewhere).then(
      () => assert.fail('let in'),
      (error: Error & { code: string }) => `${error.code} ${error.message}`,
    )
  for (let i = 0; i < 12; i++) assert.equal(await refusalOf(nobody), await refusalOf(wrong), `try ${i}`)
  assert.equal(compared.length, 20)
  assert.equal(compared.filter((hashed) => hashed === undefined).length, 10)
})

test('a hash with old parameters is renewed when its password is typed, and only then', async () => {
  await using t = await testAccounts()
  const id = await makeUser(t, right)
  const deps = { ...t.deps, passwords: argon2Passwords({ memoryCost: 16, timeCost: 1, parallelism: 1 }) }
  const hashOf = async () =>
    (await t.deps.db.select().from(users).where(eq(users.id, id)))[0]?.passwordHash ?? ''
  await assert.rejects(signIn(deps, wrong, somewhere))
  assert.match(await hashOf(), /m=8,/)
  assert.ok(await signIn(deps, right, somewhere))
  assert.match(await hashOf(), /m=16,/)
  assert.ok(await signIn(deps, right, somewhere))
})

test('no session is created for a password that was changed during its verification', async () => {
  await using t = await testAccounts()
  const id = await makeUser(t, right)
  const passwords = {
    ...t.deps.passwords,
    matches: async () => {
      await t.deps.db
        .update(users)
        .set({ passwordHash: await t.deps.passwords.hash('new') })
        .where(eq(users.id, id))
      return true
    },
  }
  await assert.rejects(signIn({ ...t.deps, passwords }, right, somewhere), { code: 'signin.refused' })
  assert.deepEqual(await t.deps.db.select().from(sessions), [])
})
