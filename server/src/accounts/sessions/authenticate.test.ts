import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { cheapPasswords, makeUser } from '#server/testing/accounts.ts'
import { testShop } from '#server/testing/shop.ts'
import { assertSameOrigin, rejectCrossOrigin } from './authenticate.ts'

const ann = { email: 'ann@example.com', password: 'right one' }
const HOST = '__Host-befaqt_session'
const PLAIN = 'befaqt_session'

async function shopAt(PUBLIC_URL: string, lines: string[] = []) {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const shop = await testShop({ env: { PUBLIC_URL }, deps: { passwords: cheapPasswords, log } })
  await makeUser(shop, ann)
  const call = (
    method: 'GET' | 'POST',
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ) =>
    shop.app.inject({
      method,
      url,
      headers: { origin: PUBLIC_URL, 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0', ...headers },
      ...(payload && { payload }),
    })
  return { ...shop, call }
}

test('over https the cookie is bound to this host by its name, and the name from before is read until its sessions end', async () => {
  await using shop = await shopAt('https://shop.example')
  const signedIn = await shop.call('POST', '/api/user/signIn', ann)
  const cookie = signedIn.cookies.find(({ name }) => name === HOST)
  assert.deepEqual(
    [cookie?.path, cookie?.secure, cookie?.httpOnly, cookie?.domain],
    ['/', true, true, undefined],
  )
  const { token } = signedIn.json()
  for (const name of [HOST, PLAIN]) {
    const reply = await shop.call('GET', '/api/user', undefined, { cookie: `${name}=${token}` })
    assert.equal(reply.statusCode, 200, name)
  }
  const planted = await shop.call('GET', '/api/user', undefined, {
    cookie: `${PLAIN}=${'A'.repeat(43)}; ${HOST}=${token}`,
  })
  assert.equal(planted.statusCode, 200, 'a planted cookie of the old name does not hide the own one')
  const out = await shop.call('POST', '/api/user/signOut', undefined, { cookie: `${PLAIN}=${token}` })
  assert.deepEqual(out.cookies.map(({ name, value }) => [name, value]).sort(), [
    [HOST, ''],
    [PLAIN, ''],
  ])
  assert.equal(
    (await shop.call('GET', '/api/user', undefined, { cookie: `${PLAIN}=${token}` })).statusCode,
    401,
  )
})

test('a sign-in ends the session that the browser had, and nobody else’s', async () => {
  await using shop = await shopAt('http://localhost:3000')
  const first = (await shop.call('POST', '/api/user/signIn', ann)).json().token
  const other = (await shop.call('POST', '/api/user/signIn', ann)).json().token
  const next = (await shop.call('POST', '/api/user/signIn', ann, { cookie: `${PLAIN}=${first}` })).json()
    .token
  const statusOf = async (token: string) =>
    (await shop.call('GET', '/api/user', undefined, { authorization: `Bearer ${token}` })).statusCode
  assert.deepEqual([await statusOf(first), await statusOf(other), await statusOf(next)], [401, 200, 200])
  const wrong = await shop.call(
    'POST',
    '/api/user/signIn',
    { ...ann, password: 'wrong' },
    { cookie: `${PLAIN}=${next}` },
  )
  assert.deepEqual([wrong.statusCode, await statusOf(next)], [401, 200], 'one that is refused ends none')
  assert.equal((await shop.deps.db.select().from(sessions)).length, 2)
})

test('the log says who signed in or was refused, from where and with what, and no address, password or token', async () => {
  const lines: string[] = []
  await using shop = await shopAt('http://localhost:3000', lines)
  const { token } = (await shop.call('POST', '/api/user/signIn', ann)).json()
  await shop.call('POST', '/api/user/signIn', { ...ann, password: 'a wrong one' })
  await shop.call('POST', '/api/user/signIn', { ...ann, email: 'nobody@example.com' })
  const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /^sign/.test(msg))
  assert.deepEqual(
    said.map(({ msg, code, network, agent }) => [msg, code, network, agent]),
    [
      ['signed in', undefined, '127.0.0.1', 'Firefox on Linux'],
      ['sign-in refused', 'signin.refused', '127.0.0.1', 'Firefox on Linux'],
      ['sign-in refused', 'signin.refused', '127.0.0.1', 'Firefox on Linux'],
    ],
  )
  const accounts = said.map(({ account }) => account)
  assert.match(accounts[0], /^[\w-]{16}$/)
  assert.equal(accounts[0], accounts[1], 'the same account')
  assert.notEqual(accounts[0], accounts[2])
  for (const secret of [ann.email, 'nobody@', ann.password, 'a wrong one', token])
    assert.equal(lines.join('').includes(secret), false, secret)
})

test('TiveApiKey is a credential on its own route alone, and never a session', async () => {
  await using shop = await shopAt('http://localhost:3000')
  const admin = { email: 'mia@example.com', password: 'right one', role: 'ADMIN' } as const
  await makeUser(shop, admin)
  const { token } = (await shop.call('POST', '/api/user/signIn', admin)).json()
  const keyFor = async (right: 'user:write' | 'record:write') =>
    (await createApiKey(shop.deps.db, { name: right, rights: [right] }, 'test', shop.deps.now())).key
  const [users, records] = [await keyFor('user:write'), await keyFor('record:write')]
  const status = async (method: 'GET' | 'POST', url: string, tiveapikey: string) =>
    (await shop.call(method, url, method === 'POST' ? {} : undefined, { tiveapikey })).statusCode
  assert.equal(await status('POST', '/api/key', token), 401)
  assert.equal(await status('GET', '/api/user', token), 401)
  assert.equal(await status('GET', '/api/user/all', users), 401)
  assert.equal(await status('POST', '/api/tracking', records), 401)
  assert.equal(await status('POST', '/api/tracking/tive', token), 401)
  assert.equal(await status('POST', '/api/tracking/tive', users), 403)
  assert.ok([200, 400].includes(await status('POST', '/api/tracking/tive', records)))
})

const OURS = 'https://shop.example'

test('a change by cookie must come from our own pages; reads may come from anywhere', () => {
  const passes = (method: string, headers: Record<string, string>) => {
    try {
      assertSameOrigin({ method, headers }, OURS)
      return true
    } catch {
      return false
    }
  }
  for (const [headers, want] of [
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: OURS }, true],
    [{ 'sec-fetch-site': 'same-site', origin: OURS }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'https://shop.example.evil.example' }, false],
    [{ origin: 'http://shop.example' }, false],
    [{ origin: 'null' }, false],
    [{}, false],
  ] as const) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      assert.equal(passes(method, headers), want, `${method} ${JSON.stringify(headers)}`)
    for (const method of ['GET', 'HEAD', 'OPTIONS']) assert.equal(passes(method, headers), true)
  }
})

test('requests that set the cookie are rejected from other sites and accepted from programs', () => {
  rejectCrossOrigin({ method: 'POST', headers: {} }, OURS)
  rejectCrossOrigin({ method: 'POST', headers: { origin: OURS } }, OURS)
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    assert.throws(() => rejectCrossOrigin({ method: 'POST', headers }, OURS), { code: 'auth.origin' })
})
