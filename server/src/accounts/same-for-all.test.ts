import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { apiKeys, sessions } from '#server/db/schema/accounts.ts'
import { testShop } from '#server/testing/shop.ts'
import { API_KEY_PREFIX } from './api-keys.ts'
import { SESSION_COOKIE } from './sessions/client.ts'

const token = 'a'.repeat(43)
/** What a browser, a program with a session and one with a key send. */
const callers = [
  { cookie: `${SESSION_COOKIE}=${token}` },
  { authorization: `Bearer ${token}` },
  { authorization: `Bearer ${API_KEY_PREFIX}${token}` },
]

/** A shop with one built file, whose database has no tables to look a session or a key up in. */
async function shopWithoutSessions() {
  await using opened = new AsyncDisposableStack()
  const dist = await mkdtemp(join(tmpdir(), 'befaqt-dist-'))
  opened.defer(() => rm(dist, { recursive: true }))
  await mkdir(join(dist, 'client', 'assets'), { recursive: true })
  await writeFile(join(dist, 'client', 'assets', 'main.js'), 'go()')
  await writeFile(join(dist, 'client', 'icon-192.png'), 'the icon')
  const render = async () => ({ status: 200, html: Buffer.from('page'), headers: {} })
  const shop = opened.use(await testShop({ render, env: { WEB_DIST: dist } }))
  await rows(shop.deps.db, sql`alter table ${sessions} rename to no_sessions`)
  await rows(shop.deps.db, sql`alter table ${apiKeys} rename to no_api_keys`)
  const all = opened.move()
  return { app: shop.app, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test('files and responses that are the same for everybody look up no session and no key', async () => {
  await using shop = await shopWithoutSessions()
  const picture = `${'0'.repeat(64)}.webp`
  for (const headers of callers) {
    for (const [method, url, status] of [
      ['GET', '/assets/main.js', 200],
      ['HEAD', '/assets/main.js', 200],
      ['GET', '/assets/main.js?v=1', 200],
      ['GET', '/favicon.ico', 200],
      ['GET', `/api/file/${picture}`, 404],
      ['GET', '/healthz', 200],
      ['GET', '/metrics', 200],
      ['GET', '/robots.txt', 200],
      ['GET', '/sitemap.xml', 200],
      ['GET', '/api/openapi.json', 200],
      ['GET', '/api/content/landing', 200],
      ['GET', '/api/geocode?latlng=-33.8,151.2', 200],
      ['GET', '/api/product/active', 200],
      ['GET', '/api/product/none', 404],
      ['GET', '/api/category/active', 200],
      ['GET', '/api/category/byTitle/none', 404],
      ['OPTIONS', '/api/chain/rpc', 204],
    ] as const) {
      const answer = await shop.app.inject({ method, url, headers })
      assert.equal(answer.statusCode, status, `${method} ${url} ${JSON.stringify(headers)} ${answer.body}`)
    }
    for (const url of ['/api/viewer', '/', '/assets/none.js'])
      assert.equal((await shop.app.inject({ url, headers })).statusCode, 500, `${url} looks up who asks`)
  }
})
