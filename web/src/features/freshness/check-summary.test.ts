import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newestTime, twoOfThree } from '@befaqt/provenance/testing/logged-shop'
import { measuredShop, summaryOf } from '@befaqt/provenance/testing/summaries'
import { checkSummary, type SummaryOrder } from './check-summary.ts'

const order: SummaryOrder = { boxID: 'A', policy: null, seen: undefined }
const json = { 'content-type': 'application/json; charset=utf-8' }
const shop = measuredShop()
const timeS = Math.floor(Date.now() / 1000) - 60
const honest = JSON.stringify(await summaryOf(shop, 'A', { timeS }))
assert.ok(newestTime(shop) > 0)

/** What is found where the shop answers this. */
const found = (answer: () => Response | Promise<Response>, more: Partial<SummaryOrder> = {}) =>
  checkSummary({ ...order, ...more }, async () => answer())

const ok = (text: string) => () => new Response(text, { headers: json })

test('the answer of the shop is checked for the box that was asked for, under the policy that this browser keeps', async () => {
  const asked: [string, RequestInit | undefined][] = []
  const result = await checkSummary(order, async (url, init) => {
    asked.push([String(url), init])
    return ok(honest)()
  })
  assert.equal(asked[0]?.[0], '/api/box/A/summary')
  assert.equal(asked[0]?.[1]?.cache, 'no-cache')
  assert.ok(result.kind === 'checked' && result.result.freshness?.index === 0.25)
  const under = async (policy: string) => {
    const its = await found(ok(honest), { policy })
    return its.kind === 'checked' && its.result.log.state
  }
  assert.equal(await under(twoOfThree), 'witnessed')
  assert.equal(await under('no policy at all'), 'no_policy', 'one that can’t be read asks nobody')
  const other = await found(ok(honest), { boxID: 'B' })
  assert.ok(other.kind === 'checked' && other.result.code === 'other_box')
  const forked = await found(ok(honest), { seen: { count: 7, head: '0'.repeat(64) } })
  assert.ok(forked.kind === 'checked' && forked.result.code === 'forked')
})

test('a shop that gives none, and whatever stands before it, say nothing against the box', async () => {
  assert.deepEqual(await found(ok('{"v":2,"box":"A","none":"It waits for the log."}')), { kind: 'none' })
  const both = await found(ok(honest.replace('{', '{"none":"no",')))
  assert.ok(both.kind === 'checked' && both.result.code === 'malformed')
  for (const answer of [
    () => new Response('{}', { status: 503, headers: json }),
    () => new Response('<p>Log in to this network', { headers: { 'content-type': 'text/html' } }),
    () => new Response('gone', { status: 404, headers: { 'content-type': 'text/plain' } }),
    () => Promise.reject(new TypeError('failed to fetch')),
  ])
    assert.deepEqual(await found(answer), { kind: 'unreached' })
})

test('what is longer than any summary is read no further than that, and refused', async () => {
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1_000
      controller.enqueue(new TextEncoder().encode(' '.repeat(1_000)))
    },
  })
  const result = await found(() => new Response(endless, { headers: json }))
  assert.ok(result.kind === 'checked' && result.result.verdict === 'broken')
  assert.ok(sent < 10_000, `${sent} bytes`)
})
