import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@befaqt/domain/durations'
import { createApiKey } from '#server/accounts/api-keys.ts'
import { totpAt } from '#server/accounts/credentials/second-factor.ts'
import { users } from '#server/db/schema/accounts.ts'
import { cheapPasswords, makeUser } from '#server/testing/accounts.ts'
import { testDatabases } from '#server/testing/database.ts'
import { type TestShop, testShop } from '#server/testing/shop.ts'
import { softAuthenticator } from '#server/testing/soft-authenticator.ts'
import { CONFIRMED_MINUTES, STAFF_IDLE_DAYS } from './authenticate.ts'

const mia = { email: 'mia@example.com', password: 'herring-and-ice', role: 'ADMIN' } as const
const fisher = { traderID: 'T-1', traderName: 'Sample', companyName: '', boat: '', address: '' }

/** A shop with an administrator who is signed in, and a clock. */
async function managed(more: Parameters<typeof testShop>[0] = {}) {
  let now = Date.now()
  const deps = { passwords: cheapPasswords, now: () => new Date(now) }
  const shop = await testShop({ ...more, deps })
  const id = await makeUser(shop, mia)
  const signIn = async (body: object = mia): Promise<string> =>
    (await shop.app.inject({ method: 'POST', url: '/api/user/signIn', payload: body })).json().token
  let token = await signIn()
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    shop.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
  return {
    ...shop,
    id,
    call,
    signIn,
    as: (other: string) => {
      token = other
    },
    wait: (minutes: number) => {
      now += minutes * MINUTE_MS
    },
  }
}

const codeOf = (reply: Awaited<ReturnType<TestShop['app']['inject']>>) =>
  reply.body === '' ? undefined : reply.json().error?.code

for (const [name, open] of testDatabases)
  test(`${name}: what makes an open session permanent asks for the password again after ten minutes, and is done then`, async () => {
    await using shop = await managed({ open })
    const ann = await makeUser(shop, { email: 'ann@example.com', password: 'right one' })
    const gone = await makeUser(shop, { email: 'g@example.com', password: 'right one', status: 'DISABLED' })
    const calls = [
      ['POST', '/api/key', { name: 'x', rights: ['box:write'] }],
      ['PATCH', `/api/user/${ann}`, { role: 'ADMIN' }],
      ['PATCH', `/api/user/${ann}`, { status: 'DISABLED' }],
      ['DELETE', `/api/user/${gone}`],
      ['POST', '/api/manage/excursion/target', { kind: 'email', address: 'me@example.com' }],
      ['POST', '/api/manage/supplier/invitation', { email: 'eve@example.com', fisher }],
      ['GET', `/api/manage/customer/${gone}/data`],
      ['DELETE', `/api/manage/customer/${ann}`],
      ['GET', '/api/user/data'],
      ['POST', '/api/user/erasure'],
      ['POST', '/api/user/email', { email: 'mine@example.com' }],
      ['DELETE', '/api/user/sessions'],
      ['DELETE', '/api/user/sessions/none'],
      ['DELETE', '/api/user/passkeys/none'],
    ] as const
    shop.wait(CONFIRMED_MINUTES + 1)
    for (const [method, url, payload] of calls) {
      const reply = await shop.call(method, url, payload)
      assert.deepEqual([reply.statusCode, codeOf(reply)], [403, 'auth.confirm'], `${method} ${url}`)
    }
    assert.equal((await shop.call('PATCH', `/api/user/${ann}`, { fname: 'Anna' })).statusCode, 200, 'a name')
    assert.equal((await shop.call('GET', '/api/key')).statusCode, 200, 'reading')
    const wrong = await shop.call('POST', '/api/user/confirmation', { password: 'wrong' })
    assert.deepEqual([wrong.statusCode, wrong.json().error.fields[0].path], [400, 'password'])
    assert.equal((await shop.call('POST', '/api/key', calls[0][2])).statusCode, 403)
    assert.equal(
      (await shop.call('POST', '/api/user/confirmation', { password: mia.password })).statusCode,
      200,
    )
    for (const [method, url, payload] of calls) {
      const reply = await shop.call(method, url, payload)
      assert.notEqual(codeOf(reply), 'auth.confirm', `${method} ${url}: ${reply.body}`)
      assert.notEqual(reply.statusCode, 403, `${method} ${url}`)
    }
    shop.wait(CONFIRMED_MINUTES + 1)
    assert.equal(codeOf(await shop.call('POST', '/api/key', calls[0][2])), 'auth.confirm')
  })

test('a passkey of the account confirms as well, another one and somebody else’s do not, and a key is never asked', async () => {
  await using shop = await managed()
  const site = { origin: shop.deps.config.PUBLIC_URL, rpId: 'localhost' }
  const [own, strange] = [softAuthenticator(site), softAuthenticator(site)]
  assert.equal((await shop.call('POST', '/api/user/confirmation/options')).statusCode, 409, 'there is none')
  const { challenge } = (
    await shop.call('POST', '/api/user/passkeys/options', { password: mia.password })
  ).json()
  await shop.call('POST', '/api/user/passkeys', { name: 'Key', response: own.register(challenge) })
  shop.wait(CONFIRMED_MINUTES + 1)
  const confirm = async (device: typeof own) => {
    const options = (await shop.call('POST', '/api/user/confirmation/options')).json()
    return shop.call('POST', '/api/user/confirmation', { response: device.answer(options.challenge) })
  }
  assert.equal((await confirm(strange)).statusCode, 401)
  assert.equal(codeOf(await shop.call('DELETE', '/api/user/sessions')), 'auth.confirm')
  assert.equal((await confirm(own)).statusCode, 200)
  assert.equal((await shop.call('DELETE', '/api/user/sessions')).statusCode, 200)
  assert.equal((await shop.call('POST', '/api/user/confirmation', {})).statusCode, 400)
  const { key } = await createApiKey(
    shop.deps.db,
    { name: 'x', rights: ['user:write'] },
    'test',
    shop.deps.now(),
  )
  const ann = await makeUser(shop, { email: 'ann@example.com', password: 'right one' })
  shop.as(key)
  assert.equal((await shop.call('PATCH', `/api/user/${ann}`, { status: 'DISABLED' })).statusCode, 200)
})

for (const [name, open] of testDatabases)
  test(`${name}: where a second factor is required, an administrator without one is let in to set it up and to nothing else`, async () => {
    await using shop = await managed({ open, env: { REQUIRE_SECOND_FACTOR: 'admin' } })
    const refused = async () => {
      for (const url of ['/api/user/all', '/api/order/all', '/api/key', '/api/product'])
        assert.equal(codeOf(await shop.call('GET', url)), 'auth.second_factor', url)
    }
    await refused()
    assert.equal((await shop.call('GET', '/api/viewer')).json().role, 'USER')
    assert.equal((await shop.call('GET', '/api/user')).json().role, 'ADMIN', 'the profile says what it is')
    const { secret } = (await shop.call('POST', '/api/user/twoFa/setup', { password: mia.password })).json()
    await refused()
    const on = { twoFaToken: totpAt(secret, shop.deps.now()) }
    assert.equal((await shop.call('POST', '/api/user/twoFa/confirm', on)).statusCode, 200)
    assert.equal((await shop.call('GET', '/api/user/all')).statusCode, 200)
    shop.wait(1)
    const off = { password: mia.password, twoFaToken: totpAt(secret, shop.deps.now()) }
    assert.equal((await shop.call('POST', '/api/user/twoFa/off', off)).statusCode, 200)
    await refused()
  })

test('staff without the second factor that is required of all who work at the desk are customers until they have it', async () => {
  for (const [asked, refusal] of [
    ['staff', 'auth.second_factor'],
    ['admin', undefined],
  ] as const) {
    await using shop = await managed({ env: { REQUIRE_SECOND_FACTOR: asked } })
    await shop.deps.db.update(users).set({ role: 'USER', rights: ['order:write'] })
    const reply = await shop.call('GET', '/api/order/all')
    assert.deepEqual([reply.json().error?.code, reply.statusCode], [refusal, refusal ? 403 : 200])
    const { rights, lacksSecondFactor } = (await shop.call('GET', '/api/viewer')).json()
    assert.deepEqual([rights, lacksSecondFactor], refusal ? [[], true] : [['order:write'], undefined])
    shop.wait(STAFF_IDLE_DAYS * 24 * 60 + 2)
    assert.equal((await shop.call('GET', '/api/user')).statusCode, 401, 'their sessions end as an owner’s do')
  }
})

test('a passkey is both factors in one, and the password alone is not', async () => {
  await using shop = await managed({ env: { REQUIRE_SECOND_FACTOR: 'admin' } })
  const device = softAuthenticator({ origin: shop.deps.config.PUBLIC_URL, rpId: 'localhost' })
  const { challenge } = (
    await shop.call('POST', '/api/user/passkeys/options', { password: mia.password })
  ).json()
  await shop.call('POST', '/api/user/passkeys', { name: 'Key', response: device.register(challenge) })
  assert.equal(codeOf(await shop.call('GET', '/api/user/all')), 'auth.second_factor')
  const options = (await shop.call('POST', '/api/user/passkeys/signIn/options')).json()
  const response = device.answer(options.challenge)
  shop.as((await shop.call('POST', '/api/user/passkeys/signIn', { response })).json().token)
  assert.equal((await shop.call('GET', '/api/user/all')).statusCode, 200)
})

test('a managers’ page leads an administrator without the required second factor to where it is set up', async () => {
  const render = async () => ({ status: 200, html: Buffer.from('<!doctype html>'), headers: {} })
  await using shop = await managed({ render, env: { REQUIRE_SECOND_FACTOR: 'admin' } })
  const page = await shop.call('GET', '/manage/user')
  assert.deepEqual([page.statusCode, page.headers.location], [303, '/user/profile#two-step'])
})

test('an administrator’s session that nobody used for two weeks has ended; a shopper’s has not', async () => {
  await using shop = await managed()
  const unused = await shop.signIn()
  shop.wait(STAFF_IDLE_DAYS * 24 * 60)
  assert.equal((await shop.call('GET', '/api/user')).statusCode, 200)
  shop.wait(STAFF_IDLE_DAYS * 24 * 60 + 2)
  assert.equal((await shop.call('GET', '/api/user')).statusCode, 401)
  shop.as(await shop.signIn())
  const listed = (await shop.call('GET', '/api/user/sessions')).json()
  assert.deepEqual([listed.length, listed[0].current], [1, true], 'what has ended is not listed')
  shop.as(unused)
  await shop.deps.db.update(users).set({ role: 'USER' })
  assert.equal((await shop.call('GET', '/api/user')).statusCode, 200)
})
