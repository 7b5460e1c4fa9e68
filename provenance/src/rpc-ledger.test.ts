import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LedgerError } from './ledger.ts'
import { LedgerMemory, rpcLedger } from './rpc-ledger.ts'
import { type AnswerCall, honestAnswers, rpcNode, serve } from './testing/rpc-node.ts'
import { chainId, contract, Shop } from './testing/shop.ts'
import { verifyBundle } from './verify.ts'

/** Two boxes and `rounds` anchors, box A growing in each. */
function shopWith(rounds: number): Shop {
  const shop = new Shop()
  shop.append('B', 'registration')
  for (let round = 0; round < rounds; round++) {
    shop.append('A', round === 0 ? 'registration' : 'tracking', { round })
    shop.anchor()
  }
  return shop
}

test('what is read over HTTP is what the chain holds', async () => {
  const shop = shopWith(3)
  await using node = await rpcNode(honestAnswers(shop))
  const over = rpcLedger(node.url, fetch, { contract: contract.toUpperCase().replace('0X', '0x') })
  const inside = shop.ledger()
  assert.deepEqual(await over.identity(), { chainId, contract })
  assert.equal(await over.count(), 3)
  assert.deepEqual(await over.anchorsOf([2, 0]), await inside.anchorsOf([2, 0]))
  const transactions = shop.file().anchors.map(({ txHash }) => txHash)
  const seen = (await inside.eventsOf(transactions)).map((events) =>
    events.map(({ index, root, boxes, records, blockNumber, blockTime }) => ({
      index,
      root,
      boxes,
      records,
      blockNumber,
      blockTime,
    })),
  )
  assert.deepEqual(await over.eventsOf(transactions), seen)
})

test('a box with 120 anchors is verified, no batch being larger than 50', async () => {
  const shop = shopWith(120)
  await using node = await rpcNode(honestAnswers(shop))
  const result = await verifyBundle(shop.bundleOf('A'), rpcLedger(node.url, fetch, { contract }))
  assert.equal(result.verdict, 'verified')
  assert.equal(Math.max(...node.batches), 50)
  assert.equal(
    node.batches.reduce((sum, size) => sum + size),
    2 + 3 * 120,
  )
})

test('four batches at most are on their way at once, and every answer keeps its place', async () => {
  const shop = shopWith(300)
  await using node = await rpcNode(honestAnswers(shop))
  let onTheirWay = 0
  let most = 0
  const counting: typeof fetch = async (url, init) => {
    most = Math.max(most, ++onTheirWay)
    return fetch(url, init).finally(() => onTheirWay--)
  }
  const backwards = shop.anchors.map((_, i) => shop.anchors.length - 1 - i)
  const kept = await rpcLedger(node.url, counting, { contract }).anchorsOf(backwards)
  assert.deepEqual(kept, await shop.ledger().anchorsOf(backwards))
  assert.equal(most, 4)
})

test('a transaction that the node does not know has no events, so its anchor is broken', async () => {
  const shop = shopWith(2)
  const [first] = shop.bundleOf('A').anchors
  assert.ok(first)
  await using node = await rpcNode(honestAnswers(shop))
  const ledger = rpcLedger(node.url, fetch, { contract })
  const unknown = `0x${'12'.repeat(32)}`
  assert.deepEqual(await ledger.eventsOf([unknown]), [[]])
  const bundle = shop.bundleOf('A')
  const anchors = bundle.anchors.with(0, { ...first, txHash: unknown })
  const result = await verifyBundle({ ...bundle, anchors }, ledger)
  assert.deepEqual(
    result.reasons.map(({ code }) => code),
    ['transaction_mismatch'],
  )
})

/** Honest, but for the result of one method. */
const but =
  (shop: Shop, method: string, change: (result: object) => unknown): AnswerCall =>
  (asked, params) => {
    const result = honestAnswers(shop)(asked, params)
    return asked === method ? change(Object(result)) : result
  }

for (const [name, method, change] of [
  ['failed', 'eth_getTransactionReceipt', (receipt: object) => ({ ...receipt, status: '0x0' })],
  ['emitted by another contract', 'eth_getTransactionReceipt', withLog({ address: `0x${'1'.repeat(40)}` })],
  ['of another event', 'eth_getTransactionReceipt', withLog({ topics: [`0x${'1'.repeat(64)}`] })],
  ['taken back by a reorganisation', 'eth_getTransactionReceipt', withLog({ removed: true })],
  [
    'with logs of odd shape',
    'eth_getTransactionReceipt',
    (receipt: object) => ({ ...receipt, logs: [null, 1, {}] }),
  ],
] as const)
  test(`a transaction ${name} does not prove an anchor`, async () => {
    const shop = shopWith(2)
    await using node = await rpcNode(but(shop, method, change))
    const result = await verifyBundle(shop.bundleOf('A'), rpcLedger(node.url, fetch, { contract }))
    assert.equal(result.verdict, 'broken')
    assert.ok(result.reasons.every(({ code }) => code === 'transaction_mismatch'))
  })

function withLog(change: object) {
  return (receipt: object) => ({
    ...receipt,
    logs:
      'logs' in receipt && Array.isArray(receipt.logs)
        ? receipt.logs.map((log: object) => ({ ...log, ...change }))
        : [],
  })
}

for (const [name, method, change] of [
  ['a chain id that is no number', 'eth_chainId', () => 'mainnet'],
  ['no contract at the address', 'eth_call', () => '0x'],
  ['words of odd length', 'eth_call', () => `0x${'0'.repeat(65)}`],
  ['a count beyond 2^53', 'eth_call', () => `0x${'f'.repeat(64)}`],
  [
    'a receipt of another transaction',
    'eth_getTransactionReceipt',
    (receipt: object) => ({ ...receipt, transactionHash: '0x12' }),
  ],
  [
    'a receipt without logs',
    'eth_getTransactionReceipt',
    (receipt: object) => ({ ...receipt, logs: undefined }),
  ],
  ['a receipt that is a string', 'eth_getTransactionReceipt', () => 'yes'],
  ['an event with data too short', 'eth_getTransactionReceipt', withLog({ data: '0x' })],
  ['a block of another hash', 'eth_getBlockByNumber', (block: object) => ({ ...block, hash: '0x12' })],
  ['no block', 'eth_getBlockByNumber', () => null],
  ['a block without time', 'eth_getBlockByNumber', (block: object) => ({ ...block, timestamp: undefined })],
] as const)
  test(`a node that answers ${name} makes the box unreachable`, async () => {
    const shop = shopWith(2)
    await using node = await rpcNode(but(shop, method, change))
    const result = await verifyBundle(shop.bundleOf('A'), rpcLedger(node.url, fetch, { contract }))
    assert.equal(result.verdict, 'unreachable')
  })

for (const [name, status, body] of [
  ['an error status', 500, '[]'],
  ['too many requests', 429, ''],
  ['no JSON', 200, '<html>'],
  ['nothing', 200, ''],
  ['an object in place of a batch', 200, '{"jsonrpc":"2.0","id":0,"result":"0x1"}'],
  ['an empty batch', 200, '[]'],
  ['another id', 200, '[{"jsonrpc":"2.0","id":9,"result":"0x1"}]'],
  ['an error', 200, '[{"jsonrpc":"2.0","id":0,"error":{"message":"no"}}]'],
  ['result and error', 200, '[{"jsonrpc":"2.0","id":0,"result":"0x1","error":{}}]'],
  ['null', 200, '[null]'],
  ['two answers to one call', 200, '[{"id":0,"result":"0x1"},{"id":0,"result":"0x2"}]'],
] as const)
  test(`a node that answers with ${name} is refused`, async () => {
    await using node = await serve((_request, response) => void response.writeHead(status).end(body))
    await assert.rejects(rpcLedger(node.url, fetch, { contract }).identity(), LedgerError)
  })

test('an endless answer is cut off', async () => {
  await using node = await serve((_request, response) => {
    const more = () => {
      while (response.writable && response.write(' '.repeat(65_536)));
      response.once('drain', more)
    }
    more()
  })
  await assert.rejects(rpcLedger(node.url, fetch, { contract }).count(), /more than can be right/)
})

test('a node that never answers is given up', async () => {
  await using node = await serve(() => {})
  await assert.rejects(
    rpcLedger(node.url, fetch, { contract, timeoutMs: 50 }).count(),
    /did not answer in 50 ms/,
  )
})

test('an answer that starts and never ends is given up', async () => {
  await using node = await serve((_request, response) => void response.write('['))
  await assert.rejects(
    rpcLedger(node.url, fetch, { contract, timeoutMs: 50 }).count(),
    /did not answer in 50 ms/,
  )
})

test('a closed port and a wrong address are LedgerErrors', async () => {
  const closed = await serve(() => {})
  await closed[Symbol.asyncDispose]()
  for (const url of [closed.url, 'http://', 'nonsense'])
    await assert.rejects(rpcLedger(url, fetch, { contract }).count(), /could not be reached/)
})

test('a node that is asked too often is waited for as it says, by all requests together', async () => {
  const shop = shopWith(120)
  const inASecond = new Date(Date.now() + 1_000).toUTCString()
  await using node = await rpcNode(honestAnswers(shop), ['2', '2', '2', undefined, inASecond])
  const backwards = shop.anchors.map((_, i) => shop.anchors.length - 1 - i)
  const begun = performance.now()
  const ledger = rpcLedger(node.url, fetch, { contract, waitMs: 6_000 })
  assert.deepEqual(await ledger.anchorsOf(backwards), await shop.ledger().anchorsOf(backwards))
  assert.ok(performance.now() - begun >= 2_900, 'two seconds for three requests at once, then one')
})

test('waiting ends with the time for it, and a wait that is longer is not begun', async () => {
  await using always = await serve((_request, response) => {
    always.batches.push(1)
    response.writeHead(429, { 'retry-after': '1' }).end()
  })
  await assert.rejects(rpcLedger(always.url, fetch, { contract, waitMs: 2_500 }).count(), /status 429/)
  assert.equal(always.batches.length, 3, 'asked again after each of two seconds')
  await using long = await rpcNode(honestAnswers(shopWith(1)), ['3600'])
  await assert.rejects(rpcLedger(long.url, fetch, { contract, waitMs: 10_000 }).count(), /status 429/)
})

test('a node that was asked before is asked for what is new, and for all when its chain has changed', async () => {
  const shop = shopWith(60)
  let other: AnswerCall | undefined
  await using node = await rpcNode((method, params) => (other ?? honestAnswers(shop))(method, params))
  const memory = new LedgerMemory()
  const asked = async () => {
    const before = node.batches.length
    const result = await verifyBundle(shop.bundleOf('A'), rpcLedger(node.url, fetch, { contract, memory }))
    return [result.verdict, node.batches.slice(before).reduce((sum, size) => sum + size, 0)]
  }
  assert.deepEqual(await asked(), ['verified', 2 + 3 * 60])
  assert.deepEqual(await asked(), ['verified', 2 + 1], 'whether its newest block is still there')
  shop.append('A', 'tracking')
  shop.anchor()
  assert.deepEqual(await asked(), ['verified', 2 + 1 + 3])

  other = (method, params) => {
    const answer = honestAnswers(shop)(method, params)
    const renamed = JSON.stringify(answer).replaceAll(/"0x0*b10c/g, (hash) => hash.replace('b10c', 'beef'))
    return JSON.parse(renamed)
  }
  assert.deepEqual(await asked(), ['verified', 2 + 1 + 3 * 61], 'the same anchors in other blocks')
  other = (method, params) => {
    const answer = honestAnswers(shop)(method, params)
    if (method === 'eth_getTransactionReceipt') return null
    return method === 'eth_getBlockByNumber' ? null : answer
  }
  assert.equal((await asked())[0], 'broken', 'a chain that went back behind them')
})
