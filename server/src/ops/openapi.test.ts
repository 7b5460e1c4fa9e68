import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { testShop } from '#server/testing/shop.ts'

test('unknown or malformed URLs of the API are rejected like every operation', async () => {
  await using shop = await testShop()
  for (const [method, url, status] of [
    ['GET', '/api/nope', 404],
    ['POST', '/nope', 404],
    ['GET', '/api/product/%E0%A4%A', 400],
  ] as const) {
    const answer = await shop.app.inject({ method, url })
    assert.equal(answer.statusCode, status, url)
    assert.match(answer.json().error.code, /^(not_found|input\.invalid)$/, url)
  }
})

test('every endpoint that pages and programs may call has one route, and every route an endpoint', async () => {
  await using shop = await testShop()
  const folder = new URL('.', import.meta.resolve('@befaqt/domain/api/endpoints/shop'))
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const modules: object[] = await Promise.all(files.map((name) => import(new URL(name, folder).href)))
  const written = modules.flatMap((endpoints) => Object.keys(endpoints))
  const routed = shop.app.routes
    .filter(({ url }) => /^\/(api\/|robots|sitemap)/.test(url))
    .map(({ id }) => id)
  assert.deepEqual(routed.toSorted(), written.toSorted())
})

type Operation = { operationId: string; security: object[]; requestBody?: { required: boolean } }

test('every operation is documented with its access and a unique name', async () => {
  await using shop = await testShop()
  const document = (await shop.app.inject('/api/openapi.json')).json()
  assert.equal(document.openapi, '3.1.0')
  const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path: `${method} ${path}`, ...operation })),
  )
  const calls = shop.app.routes.filter(({ url, method }) => url.startsWith('/api/') && method !== 'OPTIONS')
  assert.equal(operations.length, calls.length)
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  const securityOf = (call: string) => operations.find(({ path }) => path === call)?.security
  assert.deepEqual(securityOf('get /api/product/{id}'), [])
  assert.deepEqual(securityOf('get /api/user'), [{ sessionCookie: [] }, { sessionToken: [] }])
  assert.deepEqual(securityOf('patch /api/product/{id}')?.at(-1), { apiKey: ['shop:write'] })
  const requires = (call: string) => operations.find(({ path }) => path === call)?.requestBody?.required
  assert.deepEqual([requires('post /api/box'), requires('post /api/box/{boxID}/seal')], [true, false])
  assert.ok(document.paths['/api/box'].post.requestBody.content['application/json'].schema.properties.boxID)
  assert.ok(document.components.schemas.Box.properties.boxID)
})

test('the document is generated and compressed once, and a client that has it gets 304', async () => {
  await using shop = await testShop()
  const ask = (headers: Record<string, string>) => shop.app.inject({ url: '/api/openapi.json', headers })
  const packed = await ask({ 'accept-encoding': 'br' })
  assert.equal(packed.headers['content-encoding'], 'br')
  const etag = String(packed.headers.etag)
  assert.equal((await ask({ 'if-none-match': etag })).statusCode, 304)
  assert.equal((await ask({})).headers.etag, etag)
})

test('Redocly’s linter finds nothing wrong with the document', async () => {
  await using shop = await testShop()
  const { body: source } = await shop.app.inject('/api/openapi.json')
  const config = await createConfig({
    extends: ['recommended'],
    // The specification has the addresses: what is spelt out goes before a name in braces, here as in OpenAPI.
    rules: { 'no-ambiguous-paths': 'off' },
  })
  const problems = await lintFromString({ source, config })
  const told = problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
  )
  assert.deepEqual(told, [])
})

test('the readable page, probes and metrics answer', async () => {
  await using shop = await testShop()
  assert.match((await shop.app.inject('/api/docs')).body, /POST<\/code>.*\/api\/box/s)
  const { version } = (await shop.app.inject('/api/openapi.json')).json().info
  assert.match(version, /^\d+\.\d+\.\d+$/)
  assert.deepEqual((await shop.app.inject('/healthz')).json(), { ok: true, version })
  const ready = await shop.app.inject('/readyz')
  assert.equal(ready.statusCode, 200)
  assert.equal(ready.json().chain, 'the contract is not deployed yet')
  assert.equal(ready.json().database, 'ok')
  let metrics = (await shop.app.inject('/metrics')).body
  while (!/^befaqt_records_pending 0$/m.test(metrics)) {
    await sleep(50)
    metrics = (await shop.app.inject('/metrics')).body
  }
  assert.match(metrics, /^befaqt_http_responses_total\{status="2xx"\} [1-9]/m)
})
