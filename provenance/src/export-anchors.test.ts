import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportAnchors } from './export-anchors.ts'
import { honestAnswers, rpcNode } from './testing/rpc-node.ts'
import { contract, Shop } from './testing/shop.ts'

test('every anchor of a long chain is copied, with one window of events in a request', async () => {
  const shop = new Shop()
  for (let i = 0; i < 3; i++) {
    shop.append('BOX-1', i === 0 ? 'registration' : 'tracking')
    shop.anchor()
  }
  const honest = honestAnswers(shop)
  const windows: string[] = []
  await using node = await rpcNode((method, params) => {
    if (method === 'eth_blockNumber') return '0x11170' // 70,000
    if (method === 'eth_getLogs') windows.push(`request ${node.batches.length}`)
    return honest(method, params)
  })
  const file = await exportAnchors(node.url, fetch, { contract })
  assert.deepEqual(file, shop.file())
  assert.equal(windows.length, 8)
  assert.equal(new Set(windows).size, 8, 'a request asks for events once')
})
