import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SecondFactorCode } from '@befaqt/domain/account'
import { eq } from 'drizzle-orm'
import { signIn } from '#server/accounts/sign-in/sign-in.ts'
import { recoveryCodes, sessions, users } from '#server/db/schema/accounts.ts'
import { makeUser, somewhere, type TestAccounts, testAccounts } from '#server/testing/accounts.ts'
import { testDatabases } from '#server/testing/database.ts'
import { matchingStep, newTotpSecret, totpAt, totpUri } from './second-factor.ts'
import { beginTwoFa, confirmTwoFa, disableTwoFa, renewRecoveryCodes } from './two-fa-setup.ts'

/** '12345678901234567890' in base32. Source: RFC 6238 appendix B. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1_000)

test('codes are those of RFC 6238', () => {
  for (const [time, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    assert.equal(totpAt(RFC_SECRET, at(time)), code)
})

test('a code is valid in its own 30-second step and in the two beside it', () => {
  const secret = newTotpSecret()
  const code = totpAt(secret, at(30_000))
  for (const [time, step] of [
    [30_000, 1_000],
    [30_029, 1_000],
    [29_970, 1_000],
    [30_059, 1_000],
    [30_060, undefined],
    [29_969, undefined],
  ] as const)
    assert.equal(matchingStep(secret, code, at(time)), step, String(time))
  assert.equal(matchingStep(newTotpSecret(), code, at(30_000)), undefined)
})

test('a secret has 160 bits and its URI names the account', () => {
  const secret = newTotpSecret()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  const uri = new URL(totpUri(secret, 'BeFAQT', 'ann+fish@example.com'))
  assert.equal(uri.protocol, 'otpauth:')
  assert.equal(uri.searchParams.get('secret'), secret)
  assert.equal(uri.searchParams.get('issuer'), 'BeFAQT')
  assert.equal(decodeURIComponent(uri.pathname).endsWith('ann+fish@example.com'), true)
})

const ann = { email: 'ann@example.com', password: 'right one' }

async function switchedOn(t: TestAccounts) {
  const userId = await makeUser(t, ann)
  const { secret } = await beginTwoFa(t.deps, userId, ann.password)
  const codes = await confirmTwoFa(t.deps, userId, totpAt(secret, t.deps.now()))
  t.wait(30)
  return { userId, secret, codes, now: () => totpAt(secret, t.deps.now()) }
}

const signInWith = (t: TestAccounts, twoFaToken?: string) =>
  signIn(t.deps, { ...ann, twoFaToken: twoFaToken && SecondFactorCode.parse(twoFaToken) }, somewhere)

for (const [name, open] of testDatabases) {
  test(`${name}: the second factor is on only after a first code, and is then required`, async () => {
    await using t = await testAccounts(open)
    const userId = await makeUser(t, ann)
    const { secret, uri, qr } = await beginTwoFa(t.deps, userId, ann.password)
    assert.ok(uri.includes(secret))
    assert.match(qr.path, /^M4 4h7v1h-7z/)
    assert.ok(await signInWith(t), 'begun is not on')
    await assert.rejects(confirmTwoFa(t.deps, userId, '000000'), {
      code: 'input.invalid',
      fields: [{ path: 'twoFaToken', message: 'the code is wrong or was used before' }],
    })
    const codes = await confirmTwoFa(t.deps, userId, totpAt(secret, t.deps.now()))
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
    assert.equal(await signInWith(t), null)
    assert.deepEqual(
      (await t.post()).map((mail) => mail.kind),
      ['second-factor-on'],
    )
    await assert.rejects(beginTwoFa(t.deps, userId, ann.password), { code: 'conflict' })
  })

  test(`${name}: a code works once, even when it is sent five times at once`, async () => {
    await using t = await testAccounts(open)
    const { now, userId } = await switchedOn(t)
    await t.deps.db.delete(sessions).where(eq(sessions.userId, userId))
    const code = now()
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => signInWith(t, code)))
    assert.equal(tries.filter((one) => one.status === 'fulfilled').length, 1)
    assert.equal((await t.deps.db.select().from(sessions)).length, 1)
    t.wait(29)
    await assert.rejects(signInWith(t, code), { code: 'twofa.refused' })
    t.wait(60)
    assert.ok(await signInWith(t, now()))
  })

  test(`${name}: a recovery code works once, however it is typed, and its owner is notified`, async () => {
    await using t = await testAccounts(open)
    const { codes } = await switchedOn(t)
    const typed = ` ${codes[3]?.toLowerCase().replace('-', ' ')} `
    assert.ok(await signInWith(t, typed))
    await assert.rejects(signInWith(t, typed), { code: 'twofa.refused' })
    assert.ok(await signInWith(t, codes[4]))
    assert.deepEqual(
      (await t.post()).map((mail) => mail.kind),
      ['second-factor-on', 'second-factor-code-used', 'second-factor-code-used'],
    )
  })

  test(`${name}: neither secret nor codes can be read in the database, and a secret serves its own account only`, async () => {
    await using t = await testAccounts(open)
    const { secret, codes, userId, now } = await switchedOn(t)
    const eve = await makeUser(t, { ...ann, email: 'eve@example.com' })
    const [row] = await t.deps.db.select().from(users).where(eq(users.id, userId))
    const kept = JSON.stringify([row, await t.deps.db.select().from(recoveryCodes)])
    for (const told of [secret, ...codes, ...codes.map((code) => code.replace('-', ''))])
      assert.equal(kept.includes(told), false)
    const moved = { totpSecret: row?.totpSecret ?? null, totpConfirmedAt: t.deps.now() }
    await t.deps.db.update(users).set(moved).where(eq(users.id, eve))
    const asEve = { ...ann, email: 'eve@example.com', twoFaToken: now() }
    await assert.rejects(signIn(t.deps, asEve, somewhere))
  })

  test(`${name}: switching the second factor off needs password and code, and leaves nothing of it behind`, async () => {
    await using t = await testAccounts(open)
    const { userId, codes, now } = await switchedOn(t)
    const [used = '', other = ''] = codes.map((code) => SecondFactorCode.parse(code))
    await assert.rejects(disableTwoFa(t.deps, userId, { password: 'wrong', twoFaToken: now() }), {
      fields: [{ path: 'password', message: 'the password is wrong' }],
    })
    await assert.rejects(disableTwoFa(t.deps, userId, { password: ann.password, twoFaToken: '000000' }), {
      fields: [{ path: 'twoFaToken', message: 'the code is wrong or was used before' }],
    })
    assert.equal(await signInWith(t), null)
    const renewed = await renewRecoveryCodes(t.deps, userId, { password: ann.password, twoFaToken: used })
    await assert.rejects(signInWith(t, other), { code: 'twofa.refused' }, 'old codes went with the renewal')
    await disableTwoFa(t.deps, userId, { password: ann.password, twoFaToken: now() })
    assert.ok(await signInWith(t))
    assert.deepEqual(await t.deps.db.select().from(recoveryCodes), [])
    assert.equal(renewed.length, 10)
    assert.equal((await t.post()).at(-1)?.kind, 'second-factor-off')
  })
}

test('guessing codes is delayed, and only somebody with the password can use up the attempts', async () => {
  await using t = await testAccounts()
  const { now } = await switchedOn(t)
  for (let i = 0; i < 3; i++)
    await assert.rejects(signIn(t.deps, { ...ann, password: 'wrong', twoFaToken: '000000' }, somewhere), {
      code: 'signin.refused',
    })
  for (let i = 0; i < 5; i++) await assert.rejects(signInWith(t, '000000'), { code: 'twofa.refused' })
  await assert.rejects(signInWith(t, now()), { code: 'rate.limited', details: { retryAfterS: 30 } })
  t.wait(30)
  assert.ok(await signInWith(t, now()))
})

test('reauthentication within a session is rate-limited', async () => {
  await using t = await testAccounts()
  const userId = await makeUser(t, ann)
  for (let i = 0; i < 5; i++)
    await assert.rejects(beginTwoFa(t.deps, userId, 'wrong'), { code: 'input.invalid' })
  await assert.rejects(beginTwoFa(t.deps, userId, ann.password), { code: 'rate.limited' })
})
