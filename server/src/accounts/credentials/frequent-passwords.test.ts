import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cheapPasswords, makeUser, somewhere, testAccounts } from '#server/testing/accounts.ts'
import { testShop } from '#server/testing/shop.ts'
import { changePassword, forgotPassword, resetPassword } from '../sign-in/new-password.ts'
import { guessedFirst } from './passwords.ts'

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
