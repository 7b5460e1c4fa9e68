import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { cheapPasswords, makeUser, somewhere, testAccounts } from '#server/testing/accounts.ts'
import { testShop } from '#server/testing/shop.ts'
import { changePassword, forgotPassword, resetPassword } from '../sign-in/new-password.ts'
import { argon2Passwords, guessedFirst, HASH_COST } from './passwords.ts'

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

test('a password matches its own hash only, whatever keyboard it was typed on', async () => {
  const passwords = argon2Passwords(CHEAP)
  const hashed = await passwords.hash('caf\u00e9 crab')
  assert.match(hashed, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
  assert.equal(await passwords.matches('caf\u00e9 crab', hashed), true)
  assert.equal(await passwords.matches('cafe\u0301 crab', hashed), true)
  assert.equal(await passwords.matches('cafe crab', hashed), false)
  assert.notEqual(await passwords.hash('caf\u00e9 crab'), hashed)
})

test('verifying a password costs one argon2 hash, with or without an account', async () => {
  const compared: string[] = []
  const counting = {
    hash,
    verify: (...args: Parameters<typeof verify>) => {
      compared.push(String(args[0]))
      return verify(...args)
    },
  }
  const passwords = argon2Passwords(CHEAP, counting)
  const hashed = await passwords.hash('right')
  assert.equal(await passwords.matches('right', hashed), true)
  assert.equal(await passwords.matches('wrong', hashed), false)
  assert.equal(await passwords.matches('right', undefined), false)
  assert.equal(compared.length, 3)
  assert.deepEqual(parseOptions(compared[2] ?? ''), parseOptions(compared[0] ?? ''))
})

test('a hash of another cost is outdated', async () => {
  const old = await argon2Passwords(CHEAP).hash('x')
  assert.equal(argon2Passwords(CHEAP).isOutdated(old), false)
  for (const change of [{ memoryCost: 16 }, { timeCost: 2 }, { parallelism: 2 }])
    assert.equal(argon2Passwords({ ...CHEAP, ...change }).isOutdated(old), true)
  assert.equal(argon2Passwords().isOutdated(await hash('x', HASH_COST)), false)
})

test('two passwords are hashed at once, others wait, and beyond a limit requests are rejected', async () => {
  let running = 0
  let most = 0
  const gates: (() => void)[] = []
  const slow = {
    verify,
    hash: async () => {
      most = Math.max(most, ++running)
      await new Promise<void>((open) => gates.push(open))
      running--
      return ''
    },
  }
  const passwords = argon2Passwords(CHEAP, slow)
  const crowd = Array.from({ length: 203 }, () => passwords.hash('x'))
  const last = crowd.pop()
  await assert.rejects(last ?? Promise.resolve(), { code: 'unavailable' })
  for (let done = 0; done < crowd.length; done++) {
    while (gates.length === 0) await Promise.resolve()
    gates.shift()?.()
  }
  await Promise.all(crowd)
  assert.equal(most, 2)
})

test('under overload sign-ins are rejected alike with and without an account, and later both are verified again', async () => {
  const gates: (() => void)[] = []
  const gated = {
    hash,
    verify: async (...args: Parameters<typeof verify>) => {
      await new Promise<void>((open) => gates.push(open))
      return verify(...args)
    },
  }
  const known = await hash('right', CHEAP)
  const passwords = argon2Passwords(CHEAP, gated)
  const crowd = Array.from({ length: 202 }, (_, i) => passwords.matches('wrong', i % 2 ? known : undefined))
  for (const hashed of [known, undefined, known, undefined])
    await assert.rejects(passwords.matches('right', hashed), { code: 'unavailable' })
  let waiting = true
  const all = Promise.all(crowd).finally(() => {
    waiting = false
  })
  while (waiting) {
    gates.shift()?.()
    await new Promise(setImmediate)
  }
  assert.ok((await all).every((same) => !same))
  const later = [passwords.matches('right', known), passwords.matches('right', undefined)]
  for (const gate of gates.splice(0)) gate()
  assert.deepEqual(await Promise.all(later), [true, false])
})

const ann = { email: 'ann.lee@example.com', password: 'right one' }
const why = (password: string) => guessedFirst(password, ann.email, 'BeFAQT')

test('the most frequent passwords, runs, the own address and the shop’s name are refused with words', () => {
  for (const frequent of [
    '12345678',
    'password1',
    'Password1',
    'qwertyuiop',
    'secret',
    'aaaaaaaa',
    '456789',
    'fedcba',
    'iloveyou',
  ])
    assert.match(why(frequent) ?? '', /one of the most frequent/, frequent)
  for (const own of ['ann.lee@example.com', 'Ann.Lee', 'ann.lee1987', 'befaqt123', 'BEFAQT!', 'befaqt'])
    assert.match(why(own) ?? '', /email address or the name of the shop/, own)
  for (const fine of ['right one', 'herring-and-ice', 'low tide', 'Ωmega!', 'correct horse', 'annette 12'])
    assert.equal(why(fine), undefined, fine)
})

test('sign-up, change and reset refuse them at the password, and a link that was refused still works', async () => {
  await using shop = await testShop({ deps: { passwords: cheapPasswords } })
  const form = { fname: 'Ann', lname: 'Lee', email: ann.email, phone: '' }
  const signUp = async (password: string) => {
    const payload = { ...form, password, confirmPassword: password }
    return shop.app.inject({ method: 'POST', url: '/api/user/signUp', payload })
  }
  const refused = await signUp('password1')
  assert.deepEqual([refused.statusCode, refused.json().error.fields[0].path], [400, 'password'])
  assert.equal((await signUp('short')).json().error.message, 'password must be 6 or more characters')
  assert.equal((await signUp('low tide')).statusCode, 201)

  await using t = await testAccounts()
  const userId = await makeUser(t, ann)
  const atPassword = { code: 'input.invalid', fields: [{ path: 'password', message: why('12345678') }] }
  const changed = { currentPassword: ann.password, password: '12345678', confirmPassword: '12345678' }
  await assert.rejects(changePassword(t.deps, { userId, sessionId: 'none' }, changed), atPassword)
  await forgotPassword(t.deps, { email: ann.email }, somewhere)
  const emailToken = /resetpassword\/(\S+)/.exec((await t.post())[0]?.text ?? '')?.[1] ?? ''
  await assert.rejects(resetPassword(t.deps, { password: '12345678', emailToken }, somewhere), atPassword)
  await assert.rejects(resetPassword(t.deps, { password: ann.email, emailToken }, somewhere), {
    code: 'input.invalid',
  })
  await resetPassword(t.deps, { password: 'low tide', emailToken }, somewhere)
})

test('a recovery link of an account that the shop has ended says so, and changes nothing', async () => {
  for (const [status, code] of [
    ['DISABLED', 'account.disabled'],
    ['INACTIVE', 'account.inactive'],
  ] as const) {
    await using t = await testAccounts()
    await makeUser(t, { ...ann, status })
    await forgotPassword(t.deps, { email: ann.email }, somewhere)
    const emailToken = /resetpassword\/(\S+)/.exec((await t.post())[0]?.text ?? '')?.[1] ?? ''
    await assert.rejects(resetPassword(t.deps, { password: 'low tide', emailToken }, somewhere), { code })
    assert.deepEqual(
      (await t.post()).map(({ kind }) => kind),
      ['recovery'],
    )
  }
})
