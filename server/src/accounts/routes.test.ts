import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessions, users } from '#server/db/schema/accounts.ts'
import { cheapPasswords, makeUser } from '#server/testing/accounts.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'

const ann = { email: 'ann@example.com', password: 'right one' }
const OURS = { origin: 'http://localhost:3000' }
const open = () => testShop({ deps: { passwords: cheapPasswords } })

type Call = [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object | string]

async function ask({ app }: TestShop, [method, url, payload]: Call, headers: Record<string, string> = {}) {
  const body =
    payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }
  const json = payload === undefined ? {} : { 'content-type': 'application/json' }
  const reply = await app.inject({ method, url, headers: { ...json, ...headers }, ...body })
  return { reply, status: reply.statusCode, body: reply.body === '' ? null : reply.json() }
}

const signInCall: Call = ['POST', '/api/user/signIn', ann]
const cookieOf = (reply: Awaited<ReturnType<typeof ask>>['reply'], name: string) =>
  reply.cookies.find((cookie) => cookie.name === name)

async function signedIn(shop: TestShop) {
  await makeUser(shop, ann)
  const { reply, body } = await ask(shop, signInCall)
  const token: string = body.token
  const cookie = `befaqt_session=${cookieOf(reply, 'befaqt_session')?.value}`
  return { token, bearer: { authorization: `Bearer ${token}` }, cookie: { cookie } }
}

test('signing in returns a token and sets it as a cookie that scripts and other sites cannot use', async () => {
  await using shop = await open()
  await makeUser(shop, ann)
  const { reply, status, body } = await ask(shop, signInCall)
  assert.equal(status, 200)
  assert.deepEqual(body.user, { fname: 'Ann', role: 'USER' })
  const cookie = cookieOf(reply, 'befaqt_session')
  assert.deepEqual(
    { ...cookie },
    {
      name: 'befaqt_session',
      value: body.token,
      maxAge: 365 * 86_400,
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
    },
  )
  assert.equal(reply.headers['cache-control'], 'no-store')
})

test('a session is read from bearer and cookie, and logging out ends it on the server', async () => {
  await using shop = await open()
  const { bearer, cookie } = await signedIn(shop)
  for (const headers of [bearer, cookie]) {
    const { status, body } = await ask(shop, ['GET', '/api/user'], headers)
    assert.deepEqual([status, body.email, body.role, body.twoFa], [200, ann.email, 'USER', false])
    for (const secret of ['passwordHash', 'totpSecret', 'emailKey']) assert.equal(secret in body, false)
  }
  assert.deepEqual((await ask(shop, ['GET', '/api/viewer'], cookie)).body, {
    fname: 'Ann',
    role: 'USER',
    rights: [],
  })
  const { reply } = await ask(shop, ['POST', '/api/user/signOut'], { ...cookie, ...OURS })
  assert.equal(cookieOf(reply, 'befaqt_session')?.value, '')
  for (const headers of [bearer, cookie])
    assert.equal((await ask(shop, ['GET', '/api/user'], headers)).status, 401)
  assert.deepEqual(await shop.deps.db.select().from(sessions), [])
})

test('a session token chosen by the client is never adopted', async () => {
  await using shop = await open()
  await makeUser(shop, ann)
  const planted = 'A'.repeat(43)
  const { body } = await ask(shop, signInCall, {
    cookie: `befaqt_session=${planted}; befaqt_device=${planted}`,
  })
  assert.notEqual(body.token, planted)
  assert.equal((await ask(shop, ['GET', '/api/user'], { authorization: `Bearer ${planted}` })).status, 401)
})

test('an invalid bearer token is anonymous, even with a valid cookie', async () => {
  await using shop = await open()
  const { cookie } = await signedIn(shop)
  for (const authorization of ['Bearer nonsense', 'Basic x', 'Bearer befaqt_x'])
    assert.equal((await ask(shop, ['GET', '/api/user'], { ...cookie, authorization })).status, 401)
})

test('a change by cookie from another site is refused and changes nothing; by bearer it needs no origin', async () => {
  await using shop = await open()
  const { cookie, bearer } = await signedIn(shop)
  const change: Call = ['PATCH', '/api/user', { fname: 'Eve', lname: 'Lee', phone: '0412345678' }]
  for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const { status, body } = await ask(shop, change, { ...cookie, ...headers })
    assert.deepEqual([status, body.error.code], [403, 'auth.origin'])
  }
  assert.equal((await shop.deps.db.select().from(users))[0]?.fname, 'Ann')
  assert.equal((await ask(shop, change, { ...cookie, ...OURS })).status, 200)
  assert.equal((await ask(shop, change, bearer)).status, 200)
})

test('a page of another site cannot sign anybody in', async () => {
  await using shop = await open()
  await makeUser(shop, ann)
  const { status, reply } = await ask(shop, signInCall, { origin: 'https://evil.example' })
  assert.deepEqual([status, reply.cookies], [403, []])
  const form = { 'content-type': 'text/plain' }
  const { status: plain } = await ask(shop, ['POST', '/api/user/signIn', JSON.stringify(ann)], form)
  assert.ok(plain === 400 || plain === 415)
})

test('users can change their own names and phone, and nothing else however it is sent', async () => {
  await using shop = await open()
  const { bearer } = await signedIn(shop)
  const before = (await shop.deps.db.select().from(users))[0]
  const more = {
    role: 'ADMIN',
    status: 'DISABLED',
    _id: 'x',
    id: 'x',
    passwordHash: 'x',
    email: 'ANN@example.com',
  }
  const profile = { fname: 'Anna', lname: 'Li', phone: '04 1234 5679' }
  const { status, body } = await ask(shop, ['PATCH', '/api/user', { ...profile, ...more }], bearer)
  assert.equal(status, 200)
  assert.deepEqual({ ...body }, { ...body, ...profile, role: 'USER', status: 'ACTIVE', email: ann.email })
  const after = (await shop.deps.db.select().from(users))[0]
  assert.deepEqual(
    { ...after, ...profile },
    { ...before, ...profile, search: after?.search, version: 2, updatedAt: after?.updatedAt },
  )
  const other = await ask(shop, ['PATCH', '/api/user', { ...profile, email: 'else@example.com' }], bearer)
  assert.deepEqual(
    [other.status, other.body.error.fields],
    [400, [{ path: 'email', message: 'email cannot be changed' }]],
  )
})

test('every failure has the shape and status that the specification promises', async () => {
  await using shop = await open()
  await makeUser(shop, ann)
  const table: [Call, number, string][] = [
    [['POST', '/api/user/signIn', { ...ann, password: 'x' }], 401, 'signin.refused'],
    [['POST', '/api/user/signIn', {}], 400, 'input.invalid'],
    [['POST', '/api/user/twoFa/verify', ann], 400, 'input.invalid'],
    [['PATCH', '/api/user/forgotpassword', { email: 'no@example.com' }], 404, 'user.not_found'],
    [['PATCH', '/api/user/resetpassword', { password: 'x', emailToken: 'x' }], 400, 'input.invalid'],
    [['PATCH', '/api/user/resetpassword', { password: 'secret', emailToken: 'x' }], 400, 'token.invalid'],
    [['POST', '/api/user/activate', { token: 'x' }], 400, 'token.invalid'],
    [['POST', '/api/user/signIn', '{"email":'], 400, 'input.invalid'],
    [['POST', '/api/user/signIn', '{"email":"a@b.cd","email":"c@d.ef"}'], 400, 'input.invalid'],
    [['POST', '/api/user/signIn', '[]'], 400, 'input.invalid'],
    [['POST', '/api/user/signIn', 'null'], 400, 'input.invalid'],
    [
      ['POST', '/api/user/signIn', JSON.stringify({ ...ann, x: 'y'.repeat(300_000) })],
      413,
      'input.too_large',
    ],
    [['POST', '/api/user/passkeys/signIn', { response: { id: '%' } }], 400, 'input.invalid'],
    [['GET', '/api/user'], 401, 'auth.required'],
    [['GET', '/api/key'], 401, 'auth.required'],
  ]
  for (const [call, status, code] of table) {
    const { body, status: answered } = await ask(shop, call)
    assert.deepEqual(
      [answered, body.error.code, typeof body.error.message],
      [status, code, 'string'],
      call.join(' '),
    )
  }
})

test('success has the statuses of the specification', async () => {
  await using shop = await open()
  const form = { fname: 'Ann', lname: 'Lee', ...ann, phone: '', confirmPassword: ann.password }
  const actLink = 'http://localhost:3000/user/activate/'
  assert.equal((await ask(shop, ['POST', '/api/user/signUp', { ...form, actLink }])).status, 201)
  assert.equal((await ask(shop, ['POST', '/api/user/signUp', form])).status, 201)
  const resetPasswordLink = 'http://localhost:3000/user/resetpassword/'
  const forgot: Call = ['PATCH', '/api/user/forgotpassword', { email: ann.email, resetPasswordLink }]
  assert.equal((await ask(shop, forgot)).status, 200)
})

test('a delay is sent in seconds to programs too', async () => {
  await using shop = await open()
  const wrong: Call = ['POST', '/api/user/signIn', { ...ann, password: 'wrong' }]
  for (let i = 0; i < 10; i++) assert.equal((await ask(shop, wrong)).status, 401)
  const { reply, status, body } = await ask(shop, wrong)
  assert.deepEqual([status, body.error.code], [429, 'rate.limited'])
  assert.equal(reply.headers['retry-after'], String(body.error.retryAfterS))
})
