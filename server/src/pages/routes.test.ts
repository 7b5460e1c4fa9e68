import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import { openPostgres } from '#server/db/postgres.ts'
import { loadRenderer } from '#server/pages/built-pages.ts'
import { callerOf } from '#server/testing/caller.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { postgresProxy } from '#server/testing/postgres-proxy.ts'
import { testShop } from '#server/testing/shop.ts'

const BROWSER = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' }

/** The renderer that Vite built, where the suite says that there is one. */
const { WEB_DIST } = process.env
const withoutPages = WEB_DIST === undefined && 'the pages are not built: WEB_DIST is not set'

const CHECKER_POLICY = "default-src 'none'; script-src 'sha256-of-the-script'"
const CHECKER = `<meta http-equiv="Content-Security-Policy" content="${CHECKER_POLICY}" />`

/** A shop whose pages tell how often any was rendered, and by which address. */
async function pagesShop(more: { contract?: string | null; status?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-dist-'))
  await mkdir(join(folder, 'client', 'assets'), { recursive: true })
  await writeFile(join(folder, 'client', 'icon-192.png'), 'the icon')
  await writeFile(join(folder, 'client', 'check.html'), CHECKER)
  const rendered: string[] = []
  const render = async ({ url }: { url: string }) => {
    rendered.push(url)
    const html = `<!doctype html><title>${url}</title>${rendered.length} ${'fish '.repeat(300)}`
    return { status: more.status ?? 200, html: Buffer.from(html), headers: {} }
  }
  const { contract = `0x${'1'.repeat(40)}` } = more
  const place = { chainId: 31337, embedded: true, rpc: '', contract }
  const deps = { ledger: { locate: async () => place } }
  const shop = await testShop({ render, env: { WEB_DIST: folder }, deps })
  return {
    ...shop,
    rendered,
    get: (url: string, headers: Record<string, string> = {}) => shop.app.inject({ url, headers }),
    [Symbol.asyncDispose]: async () => {
      await shop[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

test('a page that is requested again is cached until the catalogue changes', async () => {
  await using shop = await pagesShop()
  for (let i = 0; i < 4; i++) await shop.get('/category')
  assert.deepEqual(shop.rendered, ['/category', '/category'], 'once sent, once kept')
  shop.deps.catalogue.clear()
  const after = await shop.get('/category')
  assert.match(after.body, /<\/title>3 fish/, 'the first answer after a change is a new one')
  assert.match((await shop.get('/category')).body, /<\/title>3 fish/, 'and is kept again')
})

test('the checker is sent with the policy that it brings, which nobody may frame, and is asked for each time', async () => {
  await using shop = await pagesShop()
  const { statusCode, headers, body } = await shop.get('/check.html')
  assert.deepEqual([statusCode, body, shop.rendered], [200, CHECKER, []])
  assert.equal(headers['content-security-policy'], `${CHECKER_POLICY}; frame-ancestors 'none'`)
  assert.equal(headers['cache-control'], 'no-cache')
  assert.match(String(headers['content-type']), /^text\/html/)
  const other = await shop.get('/icon-192.png')
  assert.match(String(other.headers['content-security-policy']), /^default-src 'self'/)
})

test('after the site was edited every page is made anew, those of boxes too', async () => {
  await using shop = await pagesShop()
  const admin = await callerOf(shop, 'admin', 'ADMIN')
  const { boxID, fisher } = sampleBox()
  const registered = await admin('POST', '/api/box/registration', { boxID, fisher })
  assert.equal(registered.statusCode, 201, registered.body)
  const pages = ['/category', '/about/contact', `/SFMBox/byId/${boxID}`]
  for (let i = 0; i < 3; i++) for (const page of pages) await shop.get(page)
  assert.equal(shop.rendered.length, 6, 'all are kept')
  const edited = await admin('PUT', '/api/manage/site', { part: 'seller', name: 'Fish & Sons' })
  assert.equal(edited.statusCode, 200, edited.body)
  for (const page of pages) await shop.get(page)
  assert.deepEqual(shop.rendered.slice(6), pages)
})

test('a page is sent alike whether it was cached or not, and a cached one has an ETag', async () => {
  await using shop = await pagesShop()
  const [first, kept] = [await shop.get('/category', BROWSER), await shop.get('/category', BROWSER)]
  for (const [n, page] of [first, kept].entries()) {
    assert.equal(page.headers['content-encoding'], 'br')
    const html = brotliDecompressSync(page.rawPayload).toString()
    assert.ok(html.startsWith(`<!doctype html><title>/category</title>${n + 1} fish`), html.slice(0, 60))
  }
  for (const name of ['content-type', 'cache-control', 'vary'])
    assert.equal(first.headers[name], kept.headers[name], name)
  const again = await shop.get('/category', { 'if-none-match': String(kept.headers.etag) })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  assert.equal((await shop.get('/category', { 'if-none-match': 'W/"older"' })).statusCode, 200)
})

test('one cached page serves all clicks of a campaign', async () => {
  await using shop = await pagesShop()
  for (let i = 0; i < 5; i++) await shop.get(`/category?utm_source=mail&fbclid=${i}`)
  assert.match((await shop.get('/category')).body, /<title>\/category<\/title>2 fish/)
  assert.deepEqual(shop.rendered, ['/category', '/category'])
  await shop.get('/category?sort=price&gclid=1')
  assert.equal(shop.rendered[2], '/category?sort=price')
})

test('account, manager and box pages are rendered for each visitor, however their URL is spelt', async () => {
  await using shop = await pagesShop()
  const addresses = ['/user/signin', '/USER/signin', '/%75ser/signin', '/SFMBox/byId/1', '/%73fmbox/byId/1']
  for (const url of addresses)
    for (let i = 0; i < 3; i++) {
      const reply = await shop.get(url)
      assert.equal(reply.headers['cache-control'], 'no-store', url)
      assert.equal(reply.headers.etag, undefined, url)
    }
  assert.equal(shop.rendered.length, 3 * addresses.length)
})

/** Asks with the address as it is; clients and `inject` mend it first. */
async function askAsWritten(port: string, path: string) {
  const [reply] = await once(request({ host: '127.0.0.1', port, path, agent: false }).end(), 'response')
  reply.resume()
  return [reply.statusCode, reply.headers.location]
}

test('other spellings of a URL redirect to the one that browsers use, and to no other site', async () => {
  await using shop = await pagesShop()
  const { port } = new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' }))
  for (const [path, to] of [
    ['//evil.example', '/evil.example'],
    ['/\\evil.example', '/evil.example'],
    ['/x/..//evil.example', '/evil.example'],
    ['/%2e%2e/user/profile?a=b', '/user/profile?a=b'],
    ['/x/../SFMBox/byId/1', '/SFMBox/byId/1'],
  ] as const)
    assert.deepEqual(await askAsWritten(port, path), [301, to], path)
  assert.deepEqual(shop.rendered, [])
})

test('URLs that differ in case are separate pages', async () => {
  await using shop = await pagesShop()
  for (let i = 0; i < 3; i++)
    for (const url of ['/category/Fish', '/Category/FISH', '/category/Fish?a', '/category/Fis%68'])
      assert.match((await shop.get(url)).body, new RegExp(`<title>${url.replace('?', '\\?')}</title>`))
})

test('nothing is cached before the ledger is deployed, since every page names its address', async () => {
  await using shop = await pagesShop({ contract: null })
  for (let i = 0; i < 3; i++) assert.equal((await shop.get('/')).headers['cache-control'], 'no-store')
  assert.equal(shop.rendered.length, 3)
})

test('a page that failed is rendered again for the next visitor', async () => {
  await using shop = await pagesShop({ status: 503 })
  for (let i = 0; i < 3; i++) assert.equal((await shop.get('/')).headers['cache-control'], 'no-store')
  assert.equal(shop.rendered.length, 3)
})

test('a URL with invalid percent encoding gets a page with the headers of every page', async () => {
  await using shop = await pagesShop({ status: 404 })
  const reply = await shop.get('/%E0%A4%A?q=1', BROWSER)
  assert.equal(reply.statusCode, 404)
  assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8')
  assert.match(String(reply.headers['content-security-policy']), /default-src 'self'/)
  assert.deepEqual(shop.rendered, ['/%25E0%25A4%25A?q=1'])
  const call = await shop.get('/api/product/%E0%A4%A', BROWSER)
  assert.deepEqual([call.statusCode, call.json().error.code], [400, 'input.invalid'])
})

test('/favicon.ico exists', async () => {
  await using shop = await pagesShop()
  const reply = await shop.get('/favicon.ico')
  assert.deepEqual([reply.statusCode, reply.body], [200, 'the icon'])
  assert.equal(reply.headers['content-type'], 'image/png')
  assert.equal(reply.headers['cache-control'], 'public, max-age=3600')
  assert.deepEqual(shop.rendered, [])
})

test('while the database is away logged-in visitors get an error page, and API calls an error in JSON', {
  skip: withoutPages || withoutPostgres,
}, async () => {
  const dist = WEB_DIST ?? ''
  await using postgres = await testPostgres()
  const proxy = await postgresProxy(postgres.url)
  const open = async () => {
    const database = await openPostgres(proxy.url, () => undefined)
    return { ...database, [Symbol.asyncDispose]: database.close }
  }
  await using shop = await testShop({
    open,
    render: await loadRenderer(dist),
    env: { WEB_DIST: dist },
  })
  const cookie = `befaqt_session=${'x'.repeat(43)}`
  assert.equal((await shop.app.inject({ url: '/about/us', headers: { cookie } })).statusCode, 200)
  await proxy[Symbol.asyncDispose]()
  for (const url of ['/about/us', '/user/profile', '/manage/product']) {
    const reply = await shop.app.inject({ url, headers: { ...BROWSER, 'accept-encoding': '', cookie } })
    assert.deepEqual([reply.statusCode, reply.headers['cache-control']], [503, 'no-store'], url)
    assert.match(String(reply.headers['content-type']), /^text\/html/)
    assert.match(reply.body, /The shop can’t reach its database right now/)
    const main = /<main.*<\/main>/s.exec(reply.body)?.[0] ?? ''
    assert.match(main, /database/)
    assert.doesNotMatch(main, /Log in/i, 'logging in would not help')
  }
  const call = await shop.app.inject({ url: '/api/nothing', headers: { cookie } })
  assert.deepEqual([call.statusCode, call.json().error.code], [404, 'not_found'])
})
