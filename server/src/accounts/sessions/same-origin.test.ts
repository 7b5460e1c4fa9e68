import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSameOrigin, rejectCrossOrigin } from './authenticate.ts'

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
