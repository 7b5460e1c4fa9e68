import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignUp } from '@befaqt/domain/account'
import { signIn } from '#server/accounts/sign-in/sign-in.ts'
import { users } from '#server/db/schema/accounts.ts'
import { linkIn, somewhere, type TestAccounts, testAccounts, tokenIn } from '#server/testing/accounts.ts'
import { testDatabases } from '#server/testing/database.ts'
import { activate, resendActivation, signUp } from './sign-up.ts'

const ann = (more: Partial<SignUp> = {}) =>
  SignUp.parse({
    fname: 'Ann',
    lname: 'Lee',
    email: 'Ann@example.com',
    phone: '0412 345 678',
    password: 'first one',
    confirmPassword: more.password ?? 'first one',
    ...more,
  })
const credentials = (password: string) => ({ email: 'ann@EXAMPLE.com', password })
const signInWith = (t: TestAccounts, password: string) => signIn(t.deps, credentials(password), somewhere)

for (const [name, open] of testDatabases) {
  test(`${name}: a sign-up creates one inactive account and emails a link that activates it`, async () => {
    await using t = await testAccounts(open)
    await signUp(t.deps, ann(), somewhere)
    await assert.rejects(signInWith(t, 'first one'), {
      code: 'account.inactive',
      details: { canResend: true },
    })
    const [mail, ...more] = await t.post()
    assert.deepEqual([mail?.to, mail?.kind, more.length], ['Ann@example.com', 'activation', 0])
    assert.match(linkIn(mail), /^https:\/\/shop\.example\/user\/activate\/[\w-]{43}$/)
    assert.deepEqual(await activate(t.deps, { token: tokenIn(mail) }, somewhere), {
      email: 'Ann@example.com',
    })
    const into = await signInWith(t, 'first one')
    assert.deepEqual(into?.user, { fname: 'Ann', role: 'USER' })
    const [user] = await t.deps.db.select().from(users)
    assert.equal(user?.phone, '0412 345 678')
    assert.match(user?.passwordHash ?? '', /^\$argon2id\$/)
  })

  test(`${name}: five concurrent sign-ups with one address create one account and reveal nothing`, async () => {
    await using t = await testAccounts(open)
    const forms = Array.from({ length: 5 }, (_, i) =>
      ann({ email: i % 2 ? 'ANN@example.com' : 'ann@example.com' }),
    )
    await Promise.all(forms.map((form) => signUp(t.deps, form, somewhere)))
    assert.equal((await t.deps.db.select().from(users)).length, 1)
    const mails = await t.post()
    assert.equal(mails.length, 5)
    for (const mail of mails) assert.equal(mail.kind, 'activation')
  })

  test(`${name}: signing up with a taken address answers like a free one, changes nothing and notifies its owner`, async () => {
    await using t = await testAccounts(open)
    await signUp(t.deps, ann(), somewhere)
    await activate(t.deps, { token: tokenIn((await t.post())[0]) }, somewhere)
    const [before] = await t.deps.db.select().from(users)
    await signUp(t.deps, ann({ fname: 'Eve', password: 'other one' }), somewhere)
    const [after, ...more] = await t.deps.db.select().from(users)
    assert.deepEqual([after, more], [before, []])
    const mail = (await t.post())[1]
    assert.deepEqual([mail?.kind, mail?.to], ['address-taken', 'Ann@example.com'])
    assert.doesNotMatch(`${mail?.text}${mail?.html}`, /Eve|activate\//)
    assert.equal((await signInWith(t, 'first one'))?.user.fname, 'Ann')
  })

  test(`${name}: a link activates its own sign-up, whoever signed up with the address afterwards`, async () => {
    await using t = await testAccounts(open)
    await signUp(t.deps, ann(), somewhere)
    await signUp(t.deps, ann({ fname: 'Eve', phone: '', password: 'hersxx' }), somewhere)
    const [annsMail, evesMail] = await t.post()
    await activate(t.deps, { token: tokenIn(annsMail) }, somewhere)
    assert.equal((await signInWith(t, 'first one'))?.user.fname, 'Ann')
    await assert.rejects(signInWith(t, 'hersxx'), { code: 'signin.refused' })
    await assert.rejects(activate(t.deps, { token: tokenIn(evesMail) }, somewhere), { code: 'token.invalid' })
  })

  test(`${name}: an activation link works once and within a day, and another can be requested`, async () => {
    await using t = await testAccounts(open)
    await signUp(t.deps, ann(), somewhere)
    const late = { token: tokenIn((await t.post())[0]) }
    t.wait(24 * 3_600)
    await assert.rejects(activate(t.deps, late, somewhere), /This link has expired\./)
    await resendActivation(t.deps, { email: 'ann@example.com' }, somewhere)
    await resendActivation(t.deps, { email: 'nobody@example.com' }, somewhere)
    const mails = await t.post()
    assert.equal(mails.length, 2)
    const good = { token: tokenIn(mails[1]) }
    const uses = await Promise.allSettled([1, 2, 3].map(() => activate(t.deps, good, somewhere)))
    assert.equal(uses.filter((use) => use.status === 'fulfilled').length, 1)
    await assert.rejects(activate(t.deps, good, somewhere), /This link has been used already\./)
    await assert.rejects(activate(t.deps, { token: 'made-up' }, somewhere), /This link is not valid\./)
    await resendActivation(t.deps, { email: 'ann@example.com' }, somewhere)
    assert.equal((await t.post()).length, 2, 'an open account gets no more links')
  })

  test(`${name}: a link to another site stops the sign-up before anything is written or emailed`, async () => {
    await using t = await testAccounts(open)
    const form = ann({ actLink: 'https://evil.example/user/activate/' })
    await assert.rejects(signUp(t.deps, form, somewhere), {
      code: 'link.foreign_origin',
      fields: [{ path: 'actLink', message: 'The link must lead to this site.' }],
    })
    assert.deepEqual([await t.deps.db.select().from(users), await t.post()], [[], []])
  })
}

test('emails to one address are limited, and so are sign-ups from one network', async () => {
  await using t = await testAccounts()
  for (let i = 0; i < 6; i++) await signUp(t.deps, ann(), somewhere)
  await assert.rejects(signUp(t.deps, ann(), { ...somewhere, network: 'elsewhere' }), {
    code: 'rate.limited',
  })
  assert.equal((await t.post()).length, 6)
})

test('sign-up costs one hash, whether the address is free or taken', async () => {
  await using t = await testAccounts()
  let hashes = 0
  const passwords = {
    ...t.deps.passwords,
    hash: (password: string) => {
      hashes++
      return t.deps.passwords.hash(password)
    },
  }
  const deps = { ...t.deps, passwords }
  await signUp(deps, ann(), somewhere)
  await activate(deps, { token: tokenIn((await t.post())[0]) }, somewhere)
  hashes = 0
  await signUp(deps, ann(), somewhere)
  await signUp(deps, ann({ email: 'free@example.com' }), somewhere)
  assert.equal(hashes, 2)
})
