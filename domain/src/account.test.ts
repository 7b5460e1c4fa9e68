import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { z } from 'zod'
import {
  ChangePassword,
  ForgotPassword,
  PasskeySignIn,
  ProfileInput,
  ResetPassword,
  SecondFactorCode,
  SignIn,
  SignUp,
} from './account.ts'
import { Email, Phone } from './fields.ts'
import { passwordStrength } from './password-strength.ts'

const form = {
  fname: 'Ann',
  lname: 'Lee',
  email: 'ann@example.com',
  phone: '0412 345 678',
  password: 'secret',
  confirmPassword: 'secret',
}
const complaints = (schema: z.ZodType, input: unknown) =>
  (schema.safeParse(input).error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`)

test('sign-up shows the messages of the specification for all fields at once', () => {
  assert.deepEqual(complaints(SignUp, form), [])
  assert.deepEqual(complaints(SignUp, { ...form, email: 'ann', phone: '0512345678', password: 'short' }), [
    'email: enter valid email address',
    'phone: enter valid mobile number',
    'password: password must be 6 or more characters',
    'confirmPassword: re-entered password does not match',
  ])
  assert.deepEqual(complaints(SignUp, {}), [
    'fname: first name is required',
    'lname: last name is required',
    'email: enter valid email address',
    'password: password must be 6 or more characters',
    'confirmPassword: re-entered password does not match',
  ])
  assert.deepEqual(complaints(SignUp, { ...form, fname: ' ', lname: '' }), [
    'fname: first name is required',
    'lname: last name is required',
  ])
  assert.equal(SignUp.parse({ ...form, phone: undefined }).phone, '')
})

test('recovery, reset, change and profile show the messages of the specification', () => {
  assert.deepEqual(complaints(ForgotPassword, { email: 'x@' }), ['email: enter valid email address'])
  assert.deepEqual(complaints(ResetPassword, { password: '12345', emailToken: 't' }), [
    'password: enter password with 6 or more characters',
  ])
  assert.deepEqual(complaints(ProfileInput, { fname: 'A', lname: 'B', phone: '' }), [
    'phone: enter valid mobile number',
  ])
  assert.deepEqual(
    complaints(ChangePassword, { currentPassword: 'x', password: '123456', confirmPassword: '12345' }),
    ['confirmPassword: re-entered password does not match'],
  )
})

test('email addresses: plus addresses, capitals and domains of any script pass, what breaks email does not', () => {
  for (const good of [
    'a@b.co',
    'Ann.Lee+Fish@Example.COM',
    "o'brien@sub.example.org",
    'ann@b\u00fccher.example',
    'ann@xn--bcher-kva.example',
    'ann@\u4f8b\u3048.\u30c6\u30b9\u30c8',
    '  ann@example.com ',
    `${'a'.repeat(64)}@example.com`,
  ])
    assert.equal(Email.safeParse(good).success, true, good)
  for (const bad of [
    '',
    'ann',
    '@example.com',
    'ann@',
    'ann@example',
    'ann@example..com',
    'ann@-example.com',
    'ann@example.com-',
    '.ann@example.com',
    'ann.@example.com',
    'an n@example.com',
    'ann@example.com\n',
    'ann@example.com\r\nBcc: eve@example.com',
    'ann@example.com\u0000',
    'ann@example.com, eve@example.com',
    'Ann <ann@example.com>',
    '"ann"@example.com',
    'ann@[127.0.0.1]',
    'ann@exam\u202eple.com',
    `${'a'.repeat(65)}@example.com`,
    `ann@${'a.'.repeat(130)}com`,
  ])
    assert.deepEqual(complaints(Email, bad), [': enter valid email address'], JSON.stringify(bad))
})

test('an accepted address never contains what could end a header line or start another recipient', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('a', '@', '.', '\r', '\n', ',', ';', '<', '>', ' ', '"', '\u0000'),
  })
  fc.assert(
    fc.property(nasty, (text) => {
      const parsed = Email.safeParse(text)
      if (parsed.success) assert.match(parsed.data, /^[^\s<>,;"]+@[^\s<>,;"@]+$/)
    }),
    { numRuns: 2_000 },
  )
})

test('phones: 04 and eight digits with spaces anywhere, nothing else', () => {
  const spaced = fc.tuple(
    fc.stringMatching(/^\d{8}$/),
    fc.array(fc.stringMatching(/^ {0,2}$/), { minLength: 11, maxLength: 11 }),
  )
  fc.assert(
    fc.property(spaced, ([digits, gaps]) => {
      const typed = [...`04${digits}`].map((digit, i) => `${gaps[i]}${digit}`).join('') + gaps[10]
      assert.equal(Phone.safeParse(typed).success, true, typed)
    }),
  )
  for (const bad of [
    '',
    '0412 345 67',
    '0412 345 6789',
    '0512345678',
    '+61412345678',
    '04l2345678',
    '0412-345-678',
  ])
    assert.deepEqual(complaints(Phone, bad), [': enter valid mobile number'], bad)
  assert.equal(Phone.safeParse('\u0660\u0664\u0661\u0662345678').success, false, 'digits of other scripts')
  assert.equal(Phone.safeParse('0412345678\n').success, false)
})

test('names: any script and any length up to 100; no control or reordering characters, and HTML is just text', () => {
  for (const good of ['Zo\u00eb', "O'Lee", '\u674e', '<b>Ann</b>', '\u05e8\u05d5\u05ea', 'x'.repeat(100)])
    assert.deepEqual(complaints(SignUp, { ...form, fname: good }), [], good)
  for (const [bad, message] of [
    ['x'.repeat(10_000), 'fname: first name must have at most 100 characters'],
    ['Ann\u0000', 'fname: first name has characters that cannot be shown'],
    ['Ann\nLee', 'fname: first name has characters that cannot be shown'],
    ['Ann\u202egnp.exe', 'fname: first name has characters that cannot be shown'],
    [{ toString: 'Ann' }, 'fname: first name must be text'],
    [['Ann'], 'fname: first name must be text'],
    [7, 'fname: first name must be text'],
  ] as const)
    assert.deepEqual(complaints(SignUp, { ...form, fname: bad }), [message])
})

test('passwords: at least six characters as people count them, and a maximum', () => {
  const six = (password: string) => SignUp.safeParse({ ...form, password, confirmPassword: password }).success
  assert.equal(six('\u{1f41f}'.repeat(5)), false)
  assert.equal(six('\u{1f41f}'.repeat(6)), true)
  assert.equal(six('      '), true)
  assert.equal(six('x'.repeat(1_024)), true)
  assert.equal(six('x'.repeat(1_025)), false)
})

test('codes: six digits or a recovery code, written with spaces, dashes and small letters', () => {
  assert.equal(SecondFactorCode.parse(' 123 456 '), '123456')
  assert.equal(SecondFactorCode.parse('abcde-12345'), 'ABCDE12345')
  for (const bad of ['', '12345', '1234567', 'abcde-1234', 'abcdI-12345', 123456])
    assert.equal(SecondFactorCode.safeParse(bad).success, false, String(bad))
  const signIn = { email: 'a@b.co', password: 'x' }
  for (const none of [undefined, null, ''])
    assert.ok(!SignIn.parse({ ...signIn, twoFaToken: none }).twoFaToken)
})

test('whatever is sent, safeParse returns and never throws', () => {
  fc.assert(
    fc.property(fc.anything(), (input) => {
      for (const schema of [SignUp, SignIn, ForgotPassword, ResetPassword, ProfileInput, ChangePassword])
        assert.equal(typeof schema.safeParse(input).success, 'boolean')
    }),
  )
})

test('password strength grows with length and kinds of characters, and is not fooled by repeats and common words', () => {
  const score = (password: string) => passwordStrength(password).score
  for (const [weak, strong] of [
    ['aaaaaaaaaaaa', 'ahwqxmdkeyzt'],
    ['123456789012', '914820571633'],
    ['password1234', 'pelorusx9183'],
    ['kelpie', 'kelpie tide lamp'],
  ] as const)
    assert.ok(score(weak) < score(strong), `${weak} < ${strong}`)
  assert.deepEqual(passwordStrength('123456'), { score: 0, label: 'Easy to guess' })
  assert.equal(passwordStrength('quiet harbour, 5 gulls').label, 'Strong')
  assert.ok(passwordStrength('annlee1987', ['Ann', 'Lee']).score < passwordStrength('annlee1987').score)
})

const acceptsId = (id: string): boolean => {
  const error = PasskeySignIn.safeParse({ response: { id } }).error
  return !error?.issues.some(({ path }) => path.join('.') === 'response.id')
}

test('bytes in base64url are read as their encoder writes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) =>
      assert.ok(acceptsId(Buffer.from(bytes).toString('base64url'))),
    ),
  )
})

test('any other text is refused: another alphabet, padding, spaces, bits left over', () => {
  const characters = fc.constantFrom(...'ABQgwxyz0189-_', '+', '/', '=', ' ', '\n', 'é', '\u0000')
  fc.assert(
    fc.property(fc.string({ unit: characters, minLength: 1, maxLength: 9 }), (text) =>
      assert.equal(acceptsId(text), Buffer.from(text, 'base64url').toString('base64url') === text),
    ),
  )
})
