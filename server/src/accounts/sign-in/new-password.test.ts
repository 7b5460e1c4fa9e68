import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticateSession } from '#server/accounts/sessions/authenticate.ts'
import { signIn } from '#server/accounts/sign-in/sign-in.ts'
import { activate, signUp } from '#server/accounts/sign-up/sign-up.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { makeUser, somewhere, testAccounts, tokenIn } from '#server/testing/accounts.ts'
import { testDatabases } from '#server/testing/database.ts'
import { changePassword, forgotPassword, resetPassword } from './new-password.ts'

const ann = { email: 'ann@example.com', password: 'right one' }
const fresh = { ...ann, password: 'fresh one' }

for (const [name, open] of testDatabases) {
  test(`${name}: a recovery link sets a password once, ends every session and tells the owner`, async () => {
    await using t = await testAccounts(open)
    await makeUser(t, ann)
    const before = await signIn(t.deps, ann, somewhere)
    await forgotPassword(t.deps, { email: 'ANN@example.com' }, somewhere)
    const [mail] = await t.post()
    const link = { password: fresh.password, emailToken: tokenIn(mail) }
    const uses = await Promise.allSettled([1, 2, 3].map(() => resetPassword(t.deps, link, somewhere)))
    assert.equal(uses.filter((use) => use.status === 'fulfilled').length, 1)
    assert.equal((await authenticateSession(t.deps, before?.token ?? '', 'cookie')).kind, 'anonymous')
    await assert.rejects(signIn(t.deps, ann, somewhere), { code: 'signin.refused' })
    assert.ok(await signIn(t.deps, fresh, somewhere))
    assert.deepEqual(
      (await t.post()).map((one) => one.kind),
      ['recovery', 'password-changed'],
    )
  })

  test(`${name}: links that are expired, forged or for another purpose change nothing`, async () => {
    await using t = await testAccounts(open)
    await makeUser(t, ann)
    await forgotPassword(t.deps, ann, somewhere)
    await signUp(
      t.deps,
      { ...ann, email: 'new@example.com', fname: 'N', lname: 'N', phone: '', confirmPassword: '' },
      somewhere,
    )
    const [recovery, activation] = (await t.post()).map(tokenIn)
    const reset = (emailToken = '') => resetPassword(t.deps, { password: 'evil one', emailToken }, somewhere)
    await assert.rejects(reset(activation), { code: 'token.invalid', message: 'This link is not valid.' })
    await assert.rejects(activate(t.deps, { token: recovery ?? '' }, somewhere), /This link is not valid\./)
    await assert.rejects(reset('made-up'), /This link is not valid\./)
    t.wait(3_600)
    await assert.rejects(reset(recovery), /This link has expired\./)
    assert.ok(await signIn(t.deps, ann, somewhere))
    await assert.rejects(signIn(t.deps, { ...ann, password: 'evil one' }, somewhere))
  })

  test(`${name}: setting a new password revokes the other recovery links and makes the browser a known one`, async () => {
    await using t = await testAccounts(open)
    await makeUser(t, ann)
    await forgotPassword(t.deps, ann, somewhere)
    await forgotPassword(t.deps, ann, somewhere)
    const [one, two] = (await t.post()).map(tokenIn)
    const { deviceToken } = await resetPassword(
      t.deps,
      { password: fresh.password, emailToken: two ?? '' },
      somewhere,
    )
    await assert.rejects(resetPassword(t.deps, { password: 'xxxxxx', emailToken: one ?? '' }, somewhere), {
      code: 'token.invalid',
    })
    for (let i = 0; i < 30; i++)
      await assert.rejects(signIn(t.deps, ann, { ...somewhere, network: `bot ${i}` }))
    await assert.rejects(signIn(t.deps, fresh, { ...somewhere, network: 'new' }), { code: 'rate.limited' })
    assert.ok(await signIn(t.deps, fresh, { ...somewhere, network: 'new', deviceToken }))
  })

  test(`${name}: a recovery link activates an account that was never activated`, async () => {
    await using t = await testAccounts(open)
    const form = { ...ann, fname: 'Ann', lname: 'Lee', phone: '', confirmPassword: ann.password }
    await signUp(t.deps, form, somewhere)
    await forgotPassword(t.deps, ann, somewhere)
    const emailToken = tokenIn((await t.post())[1])
    await resetPassword(t.deps, { password: fresh.password, emailToken }, somewhere)
    assert.ok(await signIn(t.deps, fresh, somewhere))
  })

  test(`${name}: changing the password needs the old one and keeps only the current session`, async () => {
    await using t = await testAccounts(open)
    const userId = await makeUser(t, ann)
    for (let i = 0; i < 3; i++) await signIn(t.deps, ann, somewhere)
    const [mine] = await t.deps.db.select().from(sessions)
    const principal = { userId, sessionId: mine?.id ?? '' }
    const form = { currentPassword: 'wrong', password: fresh.password, confirmPassword: fresh.password }
    await assert.rejects(changePassword(t.deps, principal, form), {
      fields: [{ path: 'currentPassword', message: 'the password is wrong' }],
    })
    assert.equal((await t.deps.db.select().from(sessions)).length, 3)
    await changePassword(t.deps, principal, { ...form, currentPassword: ann.password })
    assert.deepEqual(await t.deps.db.select().from(sessions), [mine])
    assert.ok(await signIn(t.deps, fresh, somewhere))
    assert.deepEqual(
      (await t.post()).map((one) => one.kind),
      ['password-changed'],
    )
  })
}

test('password recovery says when there is no account, as the specification requires, and is rate-limited', async () => {
  await using t = await testAccounts()
  for (let i = 0; i < 30; i++)
    await assert.rejects(forgotPassword(t.deps, { email: `nobody${i}@example.com` }, somewhere), {
      code: 'user.not_found',
      message: 'No account has this email address.',
    })
  await assert.rejects(forgotPassword(t.deps, { email: 'x@example.com' }, somewhere), {
    code: 'rate.limited',
  })
  assert.deepEqual(await t.post(), [])
})

test('a recovery email never links to another site', async () => {
  await using t = await testAccounts()
  await makeUser(t, ann)
  const form = { email: ann.email, resetPasswordLink: 'https://evil.example/' }
  await assert.rejects(forgotPassword(t.deps, form, somewhere), { code: 'link.foreign_origin' })
  assert.deepEqual(await t.post(), [])
})
