import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eq } from 'drizzle-orm'
import { passkeys, sessions, users } from '#server/db/schema/accounts.ts'
import { makeUser, somewhere, type TestAccounts, testAccounts } from '#server/testing/accounts.ts'
import { testDatabases } from '#server/testing/database.ts'
import { softAuthenticator } from '#server/testing/soft-authenticator.ts'
import { beginPasskeySignIn, passkeySignIn } from '../sign-in/passkey-sign-in.ts'
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from './passkeys.ts'

const ann = { email: 'ann@example.com', password: 'right one' }
const ours = { origin: 'https://shop.example', rpId: 'shop.example' }

async function withPasskey(t: TestAccounts) {
  const userId = await makeUser(t, ann)
  const device = softAuthenticator(ours)
  const { challenge } = await beginPasskey(t.deps, userId, ann.password)
  await addPasskey(t.deps, userId, { name: 'My phone', response: device.register(challenge) })
  return { userId, device }
}

const challengeOf = async (t: TestAccounts) => (await beginPasskeySignIn(t.deps, somewhere)).challenge

for (const [name, open] of testDatabases) {
  test(`${name}: adding a passkey needs the password and notifies the owner; the passkey then signs in without the password`, async () => {
    await using t = await testAccounts(open)
    const { userId, device } = await withPasskey(t)
    assert.deepEqual(
      (await t.post()).map((mail) => mail.kind),
      ['second-factor-passkey-added'],
    )
    const into = await passkeySignIn(t.deps, { response: device.answer(await challengeOf(t)) }, somewhere)
    assert.equal(into.user.fname, 'Ann')
    const [passkey] = await listPasskeys(t.deps.db, userId)
    assert.deepEqual([passkey?.name, passkey?.lastUsedAt], ['My phone', t.deps.now().toISOString()])
  })

  test(`${name}: a passkey response works once and within five minutes`, async () => {
    await using t = await testAccounts(open)
    const { device } = await withPasskey(t)
    const answer = { response: device.answer(await challengeOf(t)) }
    const tries = await Promise.allSettled([1, 2, 3].map(() => passkeySignIn(t.deps, answer, somewhere)))
    assert.equal(tries.filter((one) => one.status === 'fulfilled').length, 1)
    const late = { response: device.answer(await challengeOf(t)) }
    t.wait(300)
    await assert.rejects(passkeySignIn(t.deps, late, somewhere), { code: 'signin.refused' })
    assert.equal((await t.deps.db.select().from(sessions)).length, 1)
  })

  test(`${name}: another origin, an unverified user, another key or a challenge for something else is rejected`, async () => {
    await using t = await testAccounts(open)
    const { userId, device } = await withPasskey(t)
    const refused = async (response: ReturnType<typeof device.answer>, why: string) =>
      assert.rejects(passkeySignIn(t.deps, { response }, somewhere), { code: 'signin.refused' }, why)
    for (const faults of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { verified: false }])
      await refused(device.answer(await challengeOf(t), faults), JSON.stringify(faults))
    const other = softAuthenticator(ours)
    const forged = {
      ...other.answer(await challengeOf(t)),
      id: device.answer('x').id,
      rawId: device.answer('x').id,
    }
    await refused(forged, 'signed with another key')
    await refused(other.answer(await challengeOf(t)), 'a passkey that nobody has')
    const { challenge } = await beginPasskey(t.deps, userId, ann.password)
    await refused(device.answer(challenge), 'a challenge for adding')
    await refused(device.answer('bWFkZSB1cA'), 'a made-up challenge')
    assert.deepEqual(await t.deps.db.select().from(sessions), [])
  })

  test(`${name}: a passkey can only be added with the password, to one's own account, from our own pages`, async () => {
    await using t = await testAccounts(open)
    const userId = await makeUser(t, ann)
    const eve = await makeUser(t, { ...ann, email: 'eve@example.com' })
    const device = softAuthenticator(ours)
    await assert.rejects(beginPasskey(t.deps, userId, 'wrong'), {
      fields: [{ path: 'password', message: 'the password is wrong' }],
    })
    const begin = async () => (await beginPasskey(t.deps, userId, ann.password)).challenge
    const add = (who: string, response: ReturnType<typeof device.register>) =>
      addPasskey(t.deps, who, { name: 'x', response })
    await assert.rejects(add(eve, device.register(await begin())), { code: 'input.invalid' })
    await assert.rejects(add(userId, device.register(await begin(), { origin: 'https://evil.example' })), {
      code: 'input.invalid',
    })
    await assert.rejects(add(userId, device.register(await begin(), { verified: false })), {
      code: 'input.invalid',
    })
    assert.deepEqual(await t.deps.db.select().from(passkeys), [])
    await add(userId, device.register(await begin()))
    await assert.rejects(add(userId, device.register(await begin())), { code: 'input.invalid' }, 'twice')
  })

  test(`${name}: a removed passkey or a closed account cannot sign in, and only the owner can remove a passkey`, async () => {
    await using t = await testAccounts(open)
    const { userId, device } = await withPasskey(t)
    const eve = await makeUser(t, { ...ann, email: 'eve@example.com' })
    const { id } = device.answer('x')
    await t.deps.db.update(users).set({ status: 'DISABLED' }).where(eq(users.id, userId))
    const shut = { response: device.answer(await challengeOf(t)) }
    await assert.rejects(passkeySignIn(t.deps, shut, somewhere), { code: 'account.disabled' })
    await assert.rejects(removePasskey(t.deps, eve, id), { code: 'not_found' })
    await removePasskey(t.deps, userId, id)
    await t.deps.db.update(users).set({ status: 'ACTIVE' }).where(eq(users.id, userId))
    const gone = { response: device.answer(await challengeOf(t)) }
    await assert.rejects(passkeySignIn(t.deps, gone, somewhere), { code: 'signin.refused' })
    assert.equal((await t.post()).at(-1)?.kind, 'second-factor-passkey-removed')
  })
}
