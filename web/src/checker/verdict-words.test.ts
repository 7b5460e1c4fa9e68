import assert from 'node:assert/strict'
import { test } from 'node:test'
import { honestAnswers, rpcNode } from '@befaqt/provenance/testing/rpc-node'
import { lackingOne } from '@befaqt/provenance/testing/signed-histories'
import { sale, shopOf, weight } from '@befaqt/provenance/testing/weighed-histories'
import { check } from './check.ts'
import { factsOf } from './facts.ts'
import { asides, verdictOf } from './verdict-words.ts'

test('a weight that was raised after a sale is no top grade, and both figures are said', async () => {
  for (const [facts, tone, words] of [
    [[weight(2_000), sale(500), weight(3_000)], 'warn', /raised from 2\.0 kg after the first sale/],
    [[weight(2_000), sale(500)], 'good', /Sold 0\.5 of 2\.0 kg/],
    [[weight(2_000), sale(2_500)], 'bad', /Sold 2\.5 of 2\.0 kg/],
  ] as const) {
    const shop = shopOf(facts)
    await using node = await rpcNode((method, params) => honestAnswers(shop)(method, params))
    const proof = { text: JSON.stringify(shop.bundleOf('A')), from: 'a file', shop: null }
    const order = { proof, boxID: 'A', nodes: [node.url], policy: null, timeZone: 'Australia/Sydney' }
    const found = await check(order)
    assert.ok(found.bundle)
    const verdict = verdictOf(found)
    const { weight: said } = factsOf(found.bundle, found.result, order.timeZone, 'proven')
    assert.equal(verdict.tone, tone, verdict.title)
    assert.match(said, words)
    if (tone === 'warn') assert.match(verdict.message, words)
    if (tone === 'bad') assert.equal(verdict.title, 'Does not add up')
    if (tone === 'bad')
      assert.ok(found.result.reasons.some(({ words: why }) => /more of this box was sold/.test(why)))
  }
})

test('statements that are missing are no top grade, and named with how many and between when', async () => {
  const { shop, bundle } = lackingOne()
  await using node = await rpcNode((method, params) => honestAnswers(shop)(method, params))
  const proof = { text: JSON.stringify(bundle), from: 'a file', shop: null }
  const order = { proof, boxID: 'A', nodes: [node.url], policy: null, timeZone: 'Australia/Sydney' }
  const found = await check(order)
  const { tone, title, message } = verdictOf(found)
  const words = /1 statement of this sensor is missing between 8:10 and 8:30 am on 18 Nov\./
  assert.deepEqual([tone, title], ['warn', 'Unchanged, but signed statements are missing'])
  assert.match(message, words)
  assert.ok(asides(found.result).some((line) => words.test(line)))
})
