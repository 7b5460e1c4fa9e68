import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testShop } from '#server/testing/shop.ts'

/** A shop with pages and one file; `get` answers status and where it leads. */
async function pageShop(env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-dist-'))
  await mkdir(join(folder, 'client', 'assets'), { recursive: true })
  await writeFile(join(folder, 'client', 'icon-192.png'), 'the icon')
  const render = async () => ({
    status: 200,
    html: Buffer.from('<!doctype html><title>Fish</title>'),
    headers: {},
  })
  const shop = await testShop({ render, env: { WEB_DIST: folder, ...env } })
  const get = async (url: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') => {
    const reply = await shop.app.inject({ url, headers, method })
    return [reply.statusCode, reply.headers.location]
  }
  return {
    ...shop,
    get,
    [Symbol.asyncDispose]: async () => {
      await shop[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

test('a page requested under another host name redirects to the public URL with its path and query', async () => {
  await using shop = await pageShop({})
  const home = 'http://localhost:3000'
  for (const host of ['127.0.0.1:3000', '[::1]:3000', '0.0.0.0:3000', 'LOCALHOST.:3000', 'pc.lan:3000'])
    assert.deepEqual(await shop.get('/category/fish?q=a%20b&x=1', { host }), [
      307,
      `${home}/category/fish?q=a%20b&x=1`,
    ])
  const host = '127.0.0.1:3000'
  assert.deepEqual(await shop.get('/', { host }, 'HEAD'), [307, `${home}/`])
  assert.deepEqual(await shop.get('/manage/user', { host }), [307, `${home}/manage/user`])
  assert.deepEqual(await shop.get('/user/activate/token-1', { host }), [307, `${home}/user/activate/token-1`])
  assert.deepEqual(await shop.get('//evil.example/x', { host }), [307, `${home}//evil.example/x`])
  for (const host of ['localhost:3000', 'LocalHost:3000'])
    assert.deepEqual(await shop.get('/category/fish', { host }), [200, undefined])
})

test('API calls, probes, the ledger and files are served under every host name', async () => {
  await using shop = await pageShop({})
  const host = '127.0.0.1:3000'
  for (const url of [
    '/healthz',
    '/metrics',
    '/api/site',
    '/api/product/active',
    '/api/docs',
    '/icon-192.png',
  ])
    assert.deepEqual(await shop.get(url, { host }), [200, undefined], url)
  assert.deepEqual(await shop.get('/api/nothing', { host }), [404, undefined])
  const payload = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
  const rpc = await shop.app.inject({ method: 'POST', url: '/api/chain/rpc', headers: { host }, payload })
  assert.equal(rpc.statusCode, 200)
})

test('there is no redirect loop: behind a proxy, at another port or over https only a trusted header counts', async () => {
  await using shop = await pageShop({ PUBLIC_URL: 'https://shop.example' })
  for (const host of [
    '127.0.0.1:3000',
    '10.0.0.7',
    'upstream',
    'evil.example',
    'shop.example:443',
    'a b',
    '',
  ])
    assert.deepEqual(await shop.get('/', { host }), [200, undefined], host)
  assert.deepEqual(await shop.get('/', { host: 'x', 'x-forwarded-host': 'evil.example' }), [200, undefined])
  await using plain = await pageShop({ PUBLIC_URL: 'http://shop.example:3000' })
  assert.deepEqual(await plain.get('/', { host: '10.0.0.7:8080' }), [200, undefined], 'a health check')
  for (const name of ['via', 'x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host'])
    assert.deepEqual(await plain.get('/', { host: '10.0.0.7:3000', [name]: 'x' }), [200, undefined], name)
  assert.deepEqual(await plain.get('/', { host: '10.0.0.7:3000' }), [307, 'http://shop.example:3000/'])
})

test('the header of a trusted proxy counts, and never appears in the response', async () => {
  await using shop = await pageShop({ PUBLIC_URL: 'https://shop.example:8443', TRUSTED_PROXIES: 'loopback' })
  const asked = (forwarded: string) =>
    shop.get('/product', { host: 'up:3000', 'x-forwarded-host': forwarded })
  const home = [307, 'https://shop.example:8443/product']
  assert.deepEqual(await asked('old-shop.example'), home)
  assert.deepEqual(await asked('shop.example, old-shop.example'), home, 'the last is from our proxy')
  for (const ours of [
    'shop.example',
    'shop.example:8443',
    'SHOP.example',
    'old.example, shop.example',
    'a b',
    '',
  ])
    assert.deepEqual(await asked(ours), [200, undefined], ours)
  assert.deepEqual(await shop.get('/product', { host: 'up:3000' }), [200, undefined])
})
