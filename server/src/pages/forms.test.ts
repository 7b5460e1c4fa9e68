import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import type { SentForm } from '@befaqt/domain/api/sent-form'
import { issueToken } from '#server/accounts/tokens.ts'
import { cheapPasswords, makeUser } from '#server/testing/accounts.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const PUBLIC_URL = 'https://shop.example'
const FORM = 'application/x-www-form-urlencoded'
const ann = { email: 'ann@shop.example', password: 'herring-and-ice' }

/** What the pages were rendered with. */
const shown: { url: string; sent?: SentForm }[] = []
let shop: TestShop
let dist: string

before(async () => {
  dist = await mkdtemp(join(tmpdir(), 'befaqt-dist-'))
  await mkdir(join(dist, 'client', 'assets'), { recursive: true })
  const render = async (asked: { url: string; sent?: SentForm }) => {
    shown.push(asked)
    return { status: 200, html: Buffer.from('<!doctype html>'), headers: {} }
  }
  shop = await testShop({ render, env: { PUBLIC_URL, WEB_DIST: dist }, deps: { passwords: cheapPasswords } })
  await makeUser(shop, ann)
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await rm(dist, { recursive: true })
})
beforeEach(() => {
  shown.length = 0
})

/** Sends a form as a browser without script does. */
const send = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  shop.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': FORM, origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })

/** The one page that was shown, and what it was told of its form. */
function sentOf(): SentForm {
  assert.equal(shown.length, 1)
  const [{ sent } = {}] = shown
  assert.ok(sent)
  return sent
}

test('a sign-in sets the session and leads to its own address, from where the page leads on', async () => {
  const answer = await send('/user/signin?next=/cart', ann)
  assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/user/signin?next=/cart'])
  assert.equal(answer.headers['cache-control'], 'no-store')
  const [session] = answer.cookies.filter(({ name }) => name.endsWith('befaqt_session'))
  assert.ok(session?.httpOnly && session.secure)
  const cookie = `${session.name}=${session.value}`
  const viewer = await shop.app.inject({ url: '/api/viewer', headers: { cookie } })
  assert.equal(viewer.json().role, 'USER')
  assert.equal(shown.length, 0)
})

test('one that is refused shows the page again with its reason and the address, never the password', async () => {
  const answer = await send('/user/signin', { ...ann, password: 'wrong-herring' })
  assert.deepEqual([answer.statusCode, answer.headers['cache-control']], [401, 'no-store'])
  assert.equal(answer.headers['set-cookie'], undefined)
  const { typed, refusal, answer: said } = sentOf()
  assert.deepEqual(typed, { email: ann.email })
  assert.deepEqual([refusal?.code, refusal?.status, said], ['signin.refused', 401, null])
  assert.doesNotMatch(JSON.stringify(shown), /herring/)
})

test('fields that are wrong are told by the same schema, and what was typed is kept', async () => {
  const typed = { fname: 'Ann', lname: '', email: 'ann', phone: '12' }
  const answer = await send('/user/signup', { ...typed, password: 'short', confirmPassword: 'other' })
  assert.equal(answer.statusCode, 400)
  const sent = sentOf()
  assert.deepEqual(sent.typed, typed)
  const paths = sent.refusal?.fields?.map(({ path }) => path) ?? []
  for (const field of ['lname', 'email', 'phone', 'password', 'confirmPassword'])
    assert.ok(paths.includes(field), field)
  assert.doesNotMatch(JSON.stringify(shown), /short|other/)
})

test('a sign-up and a recovery say on the page that an email was sent', async () => {
  const password = 'halibut-on-rye'
  const person = { fname: 'Bo', lname: 'Li', email: 'bo@shop.example', phone: '' }
  const answer = await send('/user/signup', { ...person, password, confirmPassword: password })
  assert.equal(answer.statusCode, 200)
  assert.ok(sentOf().answer)
  assert.equal(sentOf().typed.email, person.email)
  shown.length = 0
  assert.equal((await send('/user/forgotpassword', { email: ann.email })).statusCode, 200)
  assert.ok(sentOf().answer)
  shown.length = 0
  assert.equal((await send('/user/forgotpassword', { email: 'nobody@shop.example' })).statusCode, 404)
  assert.equal(sentOf().refusal?.status, 404)
})

test('a new password is sent with the token of its address, and has to be typed twice', async () => {
  const password = 'halibut-on-rye'
  const wrong = await send('/user/resetpassword/made-up', { password, confirmPassword: 'halibut' })
  assert.equal(wrong.statusCode, 400)
  assert.deepEqual(
    sentOf().refusal?.fields?.map(({ path }) => path),
    ['confirmPassword'],
  )
  shown.length = 0
  await send('/user/resetpassword/made-up', { password, confirmPassword: password })
  assert.deepEqual([sentOf().refusal?.code, sentOf().typed], ['token.invalid', {}])
})

test('names and phone of the profile are changed for whoever is logged in, and lead home', async () => {
  const phone = '0412 345 678'
  const signedIn = await send('/user/signin', ann)
  const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const refused = await send('/user/profile', { fname: 'Anna', lname: 'Ling', phone: '12' }, { cookie })
  assert.equal(refused.statusCode, 400)
  assert.deepEqual(
    [sentOf().typed, sentOf().refusal?.fields?.map(({ path }) => path)],
    [{ fname: 'Anna', lname: 'Ling', phone: '12' }, ['phone']],
  )
  const saved = await send('/user/profile', { fname: 'Anna', lname: 'Ling', phone }, { cookie })
  assert.deepEqual([saved.statusCode, saved.headers.location], [303, '/'])
  const { fname, lname } = (await shop.app.inject({ url: '/api/user', headers: { cookie } })).json()
  assert.deepEqual([fname, lname], ['Anna', 'Ling'])
  shown.length = 0
  assert.equal((await send('/user/profile', { fname: 'Eve', lname: 'Ling', phone })).statusCode, 401)
  assert.equal(sentOf().refusal?.code, 'auth.required')
})

test('the first administrator is set up by the link, once, and the page says so', async () => {
  const token = await shop.deps.db.transaction((tx) =>
    issueToken(tx, 'first-admin', { userId: null }, new Date()),
  )
  const mia = { fname: 'Mia', lname: 'Moss', email: 'mia@shop.example', phone: '' }
  const password = 'halibut-on-rye'
  const twice = await send(`/user/firstadmin/${token}`, { ...mia, password, confirmPassword: 'halibut' })
  assert.equal(twice.statusCode, 400)
  assert.deepEqual(sentOf().typed, mia)
  assert.doesNotMatch(JSON.stringify(sentOf()), /halibut/)
  shown.length = 0
  const done = await send(`/user/firstadmin/${token}`, { ...mia, password, confirmPassword: password })
  assert.deepEqual([done.statusCode, sentOf().refusal], [200, null])
  shown.length = 0
  await send(`/user/firstadmin/${token}`, { ...mia, password, confirmPassword: password })
  assert.equal(sentOf().refusal?.code, 'token.invalid')
})

test('an activation is sent with the token of its address', async () => {
  assert.equal((await send('/user/activate/made-up', {})).statusCode, 400)
  assert.deepEqual([sentOf().refusal?.code, sentOf().typed], ['token.invalid', {}])
})

test('a form of another site is refused before it is read, with or without a session', async () => {
  const signedIn = await send('/user/signin', ann)
  const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  ]
  for (const page of ['/user/signin', '/user/signup', '/user/forgotpassword', '/user/profile'])
    for (const from of foreign)
      for (const session of [{}, { cookie }]) {
        const answer = await send(page, ann, { ...from, ...session })
        assert.deepEqual([answer.statusCode, answer.json().error.code], [403, 'auth.origin'])
        assert.equal(answer.headers['set-cookie'], undefined)
      }
  const old = { method: 'POST', url: '/user/signin', payload: 'email=a' } as const
  const headers = { 'content-type': FORM, origin: 'null' }
  assert.equal((await shop.app.inject({ ...old, headers })).statusCode, 403)
  assert.equal(shown.length, 0)
})

test('other bodies, larger ones and other addresses are refused as everywhere', async () => {
  const json = { method: 'POST', url: '/user/signin', headers: { origin: PUBLIC_URL }, payload: ann } as const
  assert.equal((await shop.app.inject(json)).statusCode, 415)
  assert.equal((await send('/user/signin', { email: 'a'.repeat(20_000) })).statusCode, 413)
  assert.equal((await send('/user/order', ann)).statusCode, 404)
  assert.equal((await send('/', ann)).statusCode, 404)
  assert.equal(shown.length, 0)
  const odd = await send('/user/signin', { __proto__: 'x', email: '\0', password: '\ud800' })
  assert.equal(odd.statusCode, 400)
})

test('limits count a form as they count the script’s call, by the network that sent it', async () => {
  const sendFrom = (remoteAddress: string) =>
    shop.app.inject({
      method: 'POST',
      url: '/user/signin',
      remoteAddress,
      headers: { 'content-type': FORM, origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams({ email: 'cod@shop.example', password: 'wrong-herring' }).toString(),
    })
  let last = await sendFrom('203.0.113.9')
  for (let i = 0; i < 30 && last.statusCode === 401; i++) last = await sendFrom('203.0.113.9')
  assert.equal(last.statusCode, 429)
  assert.ok(Number(last.headers['retry-after']) > 0)
  assert.equal(shown.at(-1)?.sent?.refusal?.code, 'rate.limited')
  assert.equal(
    (
      await shop.app.inject({
        method: 'POST',
        url: '/api/user/signIn',
        remoteAddress: '203.0.113.9',
        payload: { email: 'cod@shop.example', password: 'x' },
      })
    ).statusCode,
    429,
  )
})
