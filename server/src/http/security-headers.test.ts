import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cheapPasswords, makeUser } from '#server/testing/accounts.ts'
import { attackedShop } from '#server/testing/attacked-shop.ts'
import { testShop } from '#server/testing/shop.ts'

test('only the workers that check boxes may reach other hosts; pages, scripts and the API reach the shop alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-dist-'))
  const assets = join(folder, 'client', 'assets')
  await mkdir(assets, { recursive: true })
  for (const name of ['check-worker-Dx_1-a.js', 'lab-worker-Dx_1-a.js', 'shop-check-worker-a.js', 'entry.js'])
    await writeFile(join(assets, name), '0')
  const render = async () => ({ status: 200, html: Buffer.from('<!doctype html>'), headers: {} })
  await using shop = await testShop({ render, env: { WEB_DIST: folder } })
  const reach = async (url: string): Promise<string> => {
    const { headers } = await shop.app.inject({ url })
    return /connect-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1] ?? ''
  }
  const own = [
    '/',
    '/user/signin',
    '/manage',
    '/api/site',
    '/assets/entry.js',
    '/assets/shop-check-worker-a.js',
  ]
  for (const url of [...own, '/manage?/assets/check-worker-a.js'])
    assert.equal(await reach(url), "'self'", url)
  for (const name of ['check', 'lab'])
    assert.match(await reach(`/assets/${name}-worker-Dx_1-a.js`), /^'self' https: http:\/\/localhost:\*/)
  await rm(folder, { recursive: true })
})

const ann = { email: 'ann@example.com', password: 'right one' }
const APP = 'https://app.example'
const OTHER = 'https://evil.example'

async function listed() {
  const shop = await testShop({
    env: { PUBLIC_URL: 'https://shop.example', API_ORIGINS: `${APP}, https://two.example` },
    deps: { passwords: cheapPasswords },
  })
  await makeUser(shop, ann)
  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'OPTIONS',
    url: string,
    headers: Record<string, string>,
    payload?: object,
  ) => shop.app.inject({ method, url, headers, ...(payload && { payload }) })
  return { ...shop, call }
}

test('a page of a listed origin signs in and calls with a bearer token; no cookie is set, and none counts', async () => {
  await using shop = await listed()
  const asked = {
    origin: APP,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization',
  }
  const preflight = await shop.call('OPTIONS', '/api/user', asked)
  assert.equal(preflight.statusCode, 204)
  assert.equal(preflight.headers['access-control-allow-origin'], APP)
  assert.match(`${preflight.headers['access-control-allow-methods']}`, /PATCH/)
  assert.match(`${preflight.headers['access-control-allow-headers']}`, /authorization/)
  const from = { origin: APP, 'sec-fetch-site': 'cross-site' }
  const signedIn = await shop.call('POST', '/api/user/signIn', from, ann)
  assert.deepEqual([signedIn.statusCode, signedIn.cookies], [200, []])
  const { token } = signedIn.json()
  const bearer = { ...from, authorization: `Bearer ${token}` }
  const own = await shop.call('GET', '/api/user', bearer)
  assert.deepEqual([own.statusCode, own.headers['access-control-allow-origin']], [200, APP])
  assert.match(`${own.headers.vary}`, /origin/)
  const input = { fname: 'Anna', lname: 'Lee', phone: '0400 000 000' }
  assert.equal((await shop.call('PATCH', '/api/user', bearer, input)).statusCode, 200)
  const withCookie = { ...from, cookie: `__Host-befaqt_session=${token}` }
  assert.equal((await shop.call('PATCH', '/api/user', withCookie, input)).statusCode, 403)
  for (const reply of [preflight, signedIn, own])
    assert.equal(reply.headers['access-control-allow-credentials'], undefined)
})

test('a page of any other origin gets nothing but what is public and can be checked', async () => {
  await using shop = await listed()
  const from = { origin: OTHER, 'sec-fetch-site': 'cross-site' }
  const asked = { ...from, 'access-control-request-method': 'POST' }
  const preflight = await shop.call('OPTIONS', '/api/user', asked)
  assert.deepEqual([preflight.statusCode, preflight.headers['access-control-allow-origin']], [404, undefined])
  assert.equal((await shop.call('POST', '/api/user/signIn', from, ann)).statusCode, 403)
  for (const url of ['/api/user', '/api/product/active', '/api/site', '/api/box'])
    assert.equal((await shop.call('GET', url, from)).headers['access-control-allow-origin'], undefined, url)
  for (const url of [
    '/api/anchor',
    '/api/anchor/7',
    '/api/box/none/proof',
    '/api/box/none/absence',
    '/api/box/none/summary',
    '/api/file/00000000000000000000000000000000.csv',
    '/befaqt/log/checkpoint',
    '/befaqt/log/tile/0/000',
    '/befaqt/log/key',
    '/befaqt/log/2/checkpoint',
    '/befaqt/log-builds/checkpoint',
    '/api/build',
    '/befaqt/log/receipt.svg',
    '/befaqt/log/receipt.txt',
    '/befaqt/log/stamps',
    '/befaqt/log/stamps/2026-11-28.tsr',
    '/check-policy.txt',
  ]) {
    const { headers } = await shop.call('GET', url, from)
    assert.equal(headers['access-control-allow-origin'], '*', url)
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin', url)
    assert.equal(headers['access-control-allow-credentials'], undefined, url)
  }
})

test('without the setting no origin is let in, and a wrong setting stops the start', async () => {
  await using shop = await testShop()
  const reply = await shop.app.inject({ url: '/api/site', headers: { origin: APP } })
  assert.deepEqual(
    [reply.headers['access-control-allow-origin'], reply.headers.vary],
    [undefined, reply.headers.vary],
  )
  for (const API_ORIGINS of ['*', 'app.example', 'https://app.example/', 'https://app.example/path'])
    await assert.rejects(testShop({ env: { API_ORIGINS } }), /API_ORIGINS/, API_ORIGINS)
})

test('a request with two hosts is refused, one in absolute form is read by its path, and a form where JSON is due is 415', async () => {
  await using attacked = await attackedShop()
  const ask = (head: string) => attacked.raw(`${head}\r\nconnection: close\r\n\r\n`)
  assert.match(await ask('GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b'), /^HTTP\/1\.1 400 /)
  assert.match(
    await ask('GET http://evil.example/healthz HTTP/1.1\r\nhost: evil.example'),
    /^HTTP\/1\.1 200 /,
  )
  assert.match(await ask('GET http://evil.example HTTP/1.1\r\nhost: evil.example'), /^HTTP\/1\.1 [24]\d\d /)
  assert.doesNotMatch(await ask('GET http://evil.example/user HTTP/1.1\r\nhost: evil.example'), /evil/)
  const policy = (await attacked.send('/healthz')).headers.get('permissions-policy') ?? ''
  assert.match(policy, /camera=\(self\)/)
  assert.match(policy, /microphone=\(\)/)
  const form = '--x\r\ncontent-disposition: form-data; name="email"\r\n\r\na\r\n--x--\r\n'
  const sent = await attacked.post('/api/user/signUp', form, 'multipart/form-data; boundary=x')
  assert.equal(sent.status, 415)
  await attacked.isWellAfterwards()
})
