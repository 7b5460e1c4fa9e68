import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FirstAdmin } from '@befaqt/domain/account'
import { authenticateSession } from '#server/accounts/sessions/authenticate.ts'
import { signIn } from '#server/accounts/sign-in/sign-in.ts'
import { users } from '#server/db/schema/accounts.ts'
import { makeUser, somewhere, testAccounts } from '#server/testing/accounts.ts'
import { testDatabases } from '#server/testing/database.ts'
import { ensureFirstAdmin, setUpFirstAdmin } from './first-admin.ts'

const form = (link: string | undefined) =>
  FirstAdmin.parse({
    fname: 'Mia',
    lname: 'Moss',
    email: 'mia@example.com',
    password: 'low tide',
    confirmPassword: 'low tide',
    token: link?.split('/').at(-1),
  })
const mia = { email: 'mia@example.com', password: 'low tide' }

for (const [name, open] of testDatabases) {
  test(`${name}: the printed link creates one administrator, even when it is used twice at once`, async () => {
    await using t = await testAccounts(open)
    const link = await ensureFirstAdmin(t.deps)
    assert.match(link ?? '', /^https:\/\/shop\.example\/user\/firstadmin\/[\w-]{43}$/)
    const other = { ...form(link), email: 'eve@example.com' }
    const uses = await Promise.allSettled(
      [form(link), other].map((input) => setUpFirstAdmin(t.deps, input, somewhere)),
    )
    assert.equal(uses.filter((use) => use.status === 'fulfilled').length, 1)
    assert.equal((await t.deps.db.select().from(users)).length, 1)
    assert.equal(await ensureFirstAdmin(t.deps), undefined)
  })

  test(`${name}: each start prints a new link and revokes the one before; it expires after a day`, async () => {
    await using t = await testAccounts(open)
    const first = await ensureFirstAdmin(t.deps)
    const second = await ensureFirstAdmin(t.deps)
    await assert.rejects(setUpFirstAdmin(t.deps, form(first), somewhere), { code: 'token.invalid' })
    t.wait(24 * 3_600)
    await assert.rejects(setUpFirstAdmin(t.deps, form(second), somewhere), /expired/)
    await setUpFirstAdmin(t.deps, form(await ensureFirstAdmin(t.deps)), somewhere)
    assert.equal((await signIn(t.deps, mia, somewhere))?.user.role, 'ADMIN')
  })

  test(`${name}: ADMIN_EMAIL and ADMIN_PASSWORD create the first administrator and never change one`, async () => {
    await using t = await testAccounts(open)
    const set = (password: string) => ({
      ...t.deps,
      config: { ...t.deps.config, ADMIN_EMAIL: mia.email, ADMIN_PASSWORD: password },
    })
    assert.equal(await ensureFirstAdmin(set(mia.password)), undefined)
    assert.equal(await ensureFirstAdmin(set('other one')), undefined)
    assert.equal((await signIn(t.deps, mia, somewhere))?.user.role, 'ADMIN')
    await assert.rejects(signIn(t.deps, { ...mia, password: 'other one' }, somewhere))
  })

  test(`${name}: an ADMIN_PASSWORD that is guessed first stops the start while it would be used`, async () => {
    await using t = await testAccounts(open)
    const set = (password: string) => ({
      ...t.deps,
      config: { ...t.deps.config, ADMIN_EMAIL: mia.email, ADMIN_PASSWORD: password },
    })
    for (const guessed of ['password1', 'mia2026'])
      await assert.rejects(
        ensureFirstAdmin(set(guessed)),
        /^Error: Wrong setting\. ADMIN_PASSWORD: this password/,
      )
    assert.equal((await t.deps.db.select().from(users)).length, 0)
    await ensureFirstAdmin(set(mia.password))
    assert.equal(await ensureFirstAdmin(set('password1')), undefined) // there is one: it is not used any more
  })

  test(`${name}: an earlier sign-up with the administrator's address loses access`, async () => {
    await using t = await testAccounts(open)
    await makeUser(t, { email: 'MIA@example.com', password: 'squatter' })
    const squatter = await signIn(t.deps, { ...mia, password: 'squatter' }, somewhere)
    await setUpFirstAdmin(t.deps, form(await ensureFirstAdmin(t.deps)), somewhere)
    assert.equal((await authenticateSession(t.deps, squatter?.token ?? '', 'bearer')).kind, 'anonymous')
    await assert.rejects(signIn(t.deps, { ...mia, password: 'squatter' }, somewhere))
    assert.equal((await signIn(t.deps, mia, somewhere))?.user.role, 'ADMIN')
  })

  test(`${name}: nothing is hashed without a valid link, and attempts from one network are limited`, async () => {
    await using t = await testAccounts(open)
    let hashed = 0
    const hash = (password: string) => {
      hashed++
      return t.deps.passwords.hash(password)
    }
    const deps = { ...t.deps, passwords: { ...t.deps.passwords, hash } }
    const used = await ensureFirstAdmin(t.deps)
    await setUpFirstAdmin(deps, form(used), somewhere)
    assert.equal(hashed, 1)
    const codes: string[] = []
    for (let tries = 0; tries < 70; tries++) {
      const link = tries % 2 === 0 ? used : `/${'A'.repeat(43)}`
      await setUpFirstAdmin(deps, form(link), somewhere).catch(({ code }) => codes.push(code))
    }
    assert.equal(codes.filter((code) => code === 'token.invalid').length, 60)
    assert.equal(codes.filter((code) => code === 'rate.limited').length, 10)
    assert.equal(hashed, 1)
  })
}
