import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testShop } from '#server/testing/shop.ts'

test('addresses that are not there or cannot be read are refused like every call', async () => {
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

test('document, readable page, probes and metrics answer', async () => {
  await using shop = await testShop()
  const document = (await shop.app.inject('/api/openapi.json')).json()
  assert.equal(document.openapi, '3.1.0')
  assert.ok(document.paths['/api/box'].post.requestBody.content['application/json'].schema.properties.boxID)
  assert.match((await shop.app.inject('/api/docs')).body, /POST<\/code>.*\/api\/box/s)
  assert.deepEqual((await shop.app.inject('/healthz')).json(), { ok: true })
  const ready = await shop.app.inject('/readyz')
  assert.equal(ready.statusCode, 503, 'the contract is not deployed in this test')
  assert.equal(ready.json().database, 'ok')
  let metrics = (await shop.app.inject('/metrics')).body
  while (!/^befaqt_records_pending 0$/m.test(metrics)) {
    await sleep(50)
    metrics = (await shop.app.inject('/metrics')).body
  }
  assert.match(metrics, /^befaqt_http_responses_total\{status="5xx"\} 1$/m)
})
