import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, parseGwei, parseTransaction } from 'viem'
import { ledgerLocation } from '#server/anchoring/ledger.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDatabases, testDb } from '#server/testing/database.ts'
import { faults, isWrong, type Lie, severalNodes } from '#server/testing/several-nodes.ts'
import { testShop } from '#server/testing/shop.ts'
import { disagreement } from './nodes.ts'
import type { Chain } from './port.ts'

/** Answers that come after two agreed are compared, too: a moment later. */
async function faultsUntil(
  chain: Chain,
  expected: readonly string[],
  ask: () => Promise<unknown>,
): Promise<void> {
  for (let i = 0; i < 100 && String(faults(chain)) !== String(expected); i++) {
    await ask().catch(() => undefined)
    await sleep(100)
  }
  assert.deepEqual(faults(chain), expected)
}

const isLate: Lie = async ({ method, params = [] }, truth) => {
  const head = Number(await truth({ method: 'eth_blockNumber' })) - 100
  if (method === 'eth_blockNumber') return `0x${head.toString(16)}`
  const asked = params.map((param) => (/^0x[0-9a-f]{1,8}$/.test(String(param)) ? Number(param) : 0))
  if (asked.some((block) => block > head)) throw new Error('header not found')
  return truth({ method, params })
}

const BAD: readonly [what: string, lie: Lie | 'away' | 'frozen', fault: string][] = [
  ['is away', 'away', 'does not answer'],
  ['takes questions and never answers', 'frozen', 'does not answer'],
  ['is behind', isLate, 'is behind the others'],
  ['claims blocks that are not there', isWrong('eth_blockNumber', '0xffffff'), 'is ahead of the others'],
  ['denies the contract', isWrong('eth_getCode', '0x'), 'says otherwise than two others (eth_getCode)'],
  [
    'counts other anchors',
    isWrong('eth_call', `0x${'9'.padStart(64, '0')}`),
    'says otherwise than two others (eth_call)',
  ],
  [
    'denies receipts',
    isWrong('eth_getTransactionReceipt', null),
    'says otherwise than two others (eth_getTransactionReceipt)',
  ],
  ['is of another chain', isWrong('eth_chainId', '0x1'), 'says otherwise than two others (eth_chainId)'],
]

for (const [what, lie, fault] of BAD)
  test(`anchoring goes on with two of three nodes, and the one that ${what} is named`, async () => {
    await using t = await testDb()
    await using several = await severalNodes(3, lie === 'frozen' ? 2_000 : 60_000)
    const { chain, lies, doors, network } = several
    await network.mine(150)
    const places = lie === 'frozen' ? [0] : [0, 1, 2]
    for (const place of places) {
      if (lie === 'away') doors[place]?.cut(true)
      else if (lie === 'frozen') doors[place]?.freeze(true)
      else lies[place] = lie
      const world = anchoringWorld(t.db, chain)
      await addBox(t.db, `b${place}`)
      await addRecords(t.db, `b${place}`, 1)
      const isDone = async (): Promise<boolean> =>
        (await world.anchors()).filter(({ state }) => state === 'confirmed').length === place + 1
      for (let i = 0; i < 60 && !(await isDone()); i++) {
        await world.pass().catch(() => undefined)
        await sleep(100)
      }
      assert.deepEqual(
        (await world.anchors()).map(({ state }) => state),
        Array.from({ length: place + 1 }, () => 'confirmed'),
      )
      const { txHash } = (await world.anchors()).at(-1) ?? {}
      const ask = async (): Promise<unknown> => Promise.all([world.pass(), chain.receipt(txHash as Hex)])
      await faultsUntil(chain, [`${place + 1} of 3 ${fault}`], ask)
      doors[place]?.cut(false)
      doors[place]?.freeze(false)
      lies[place] = undefined
      await faultsUntil(chain, [], ask)
    }
  })

test('two nodes that contradict each other: nothing is signed, and the reason is plain until they agree', async () => {
  await using t = await testDb()
  await using several = await severalNodes(2)
  const { chain, lies, network } = several
  const world = anchoringWorld(t.db, chain)
  await addBox(t.db, 'a')
  await addRecords(t.db, 'a', 1)
  const passUntil = async (done: number): Promise<void> => {
    for (
      let i = 0;
      i < 60 && (await world.anchors()).filter((a) => a.state === 'confirmed').length < done;
      i++
    ) {
      await world.pass().catch(() => undefined)
      await sleep(100)
    }
  }
  await passUntil(1)
  const signed = (await world.transactions()).length
  const before = await chain.nonce('latest')
  await addRecords(t.db, 'a', 1)
  const wrongs: readonly [Lie, string][] = [
    [isWrong('eth_call', `0x${'9'.padStart(64, '0')}`), 'no two of 2 nodes agree (eth_call)'],
    [isWrong('eth_getCode', '0x'), 'no two of 2 nodes agree (eth_getCode)'],
    [isWrong('eth_chainId', '0x1'), 'no two of 2 nodes agree (eth_chainId)'],
    [isWrong('eth_blockNumber', '0xffffff'), 'no two of 2 nodes agree (the newest block)'],
    [() => Promise.reject(new Error('disk full')), 'fewer than two of 2 nodes answer'],
  ]
  for (const [lie, reason] of wrongs) {
    lies[1] = lie
    await sleep(600)
    await assert.rejects(world.pass(), (error) => disagreement(error) === reason)
    assert.equal((await world.transactions()).length, signed, 'nothing was signed')
  }
  lies[1] = undefined
  assert.equal(await network.chain.nonce('latest'), before)
  await passUntil(2)
  assert.deepEqual(
    (await world.anchors()).map(({ state }) => state),
    ['confirmed', 'confirmed'],
  )
})

test('a transaction goes to one node, then to another: it is the same one, and gets into one block', async () => {
  await using t = await testDb()
  await using several = await severalNodes(3)
  const { chain, lies, network } = several
  const world = anchoringWorld(t.db, chain)
  const sent: string[] = []
  const watches =
    (answer: Lie): Lie =>
    (request, truth) => {
      if (request.method !== 'eth_sendRawTransaction') return undefined
      sent.push(String(request.params?.[0]))
      return answer(request, truth)
    }
  const hides: Lie = async () => `0x${'ab'.repeat(32)}`
  lies[0] = watches(hides)
  lies[1] = watches(() => Promise.reject(new Error('busy')))
  lies[2] = watches(hides)
  await addBox(t.db, 'a')
  await addRecords(t.db, 'a', 1)
  for (let i = 0; i < 8; i++) {
    await world.pass().catch(() => undefined)
    await sleep(20)
  }
  assert.ok(sent.length > 3)
  assert.equal(new Set(sent).size, 1, 'always the same one')
  lies[2] = undefined
  for (let i = 0; i < 60 && (await world.anchors())[0]?.state !== 'confirmed'; i++) {
    await world.pass().catch(() => undefined)
    await sleep(100)
  }
  assert.equal((await world.anchors())[0]?.state, 'confirmed')
  const made = await world.transactions()
  assert.deepEqual(
    made.map(({ kind, nonce }) => [kind, nonce]),
    [
      ['deploy', 0],
      ['anchor', 1],
    ],
  )
  assert.equal(await network.chain.nonce('latest'), 2)
})

test('one node alone raises no fee, sets no nonce, and its receipt is none', async () => {
  await using several = await severalNodes(3)
  const { chain, lies, network } = several
  const honest = parseTransaction((await network.chain.sign({ to: chain.account, data: '0x', nonce: 0 })).raw)
  lies[1] = ({ method, params = [] }) => {
    if (method === 'eth_maxPriorityFeePerGas') return Promise.resolve(`0x${parseGwei('9000').toString(16)}`)
    if (method === 'eth_estimateGas') return Promise.resolve('0xfffff')
    if (method === 'eth_getTransactionCount' && params[1] === 'pending') return Promise.resolve('0x99')
    if (method === 'eth_getTransactionReceipt')
      return Promise.resolve({ blockNumber: '0x0', blockHash: `0x${'cd'.repeat(32)}`, status: '0x1' })
    return undefined
  }
  const { raw } = await chain.sign({ to: chain.account, data: '0x', nonce: 0 })
  const { maxFeePerGas, maxPriorityFeePerGas, gas } = parseTransaction(raw)
  assert.deepEqual(
    [maxFeePerGas, maxPriorityFeePerGas, gas],
    [honest.maxFeePerGas, honest.maxPriorityFeePerGas, honest.gas],
  )
  assert.equal(await chain.nonce('pending'), 0)
  assert.equal(await chain.receipt(`0x${'ab'.repeat(32)}`), undefined)
})

test('one node whose newest block the other lacks does not contradict it', async () => {
  await using several = await severalNodes(2)
  const { chain, lies, network } = several
  const contract = await network.deployLedger()
  lies[1] = async ({ method, params = [] }, truth) => {
    if (method === 'eth_blockNumber') return '0x0'
    if (params.at(-1) !== '0x0' && method !== 'eth_chainId') throw new Error('header not found')
    return truth({ method, params })
  }
  assert.deepEqual([await chain.hasCode(contract), await chain.blockNumber()], [false, 0])
  assert.deepEqual(faults(chain), [])
})

for (const [database, open] of testDatabases)
  test(`the shop sells while nodes disagree; /readyz and a metric name the one that is wrong (${database})`, async () => {
    await using t = await severalNodes(3)
    const opened = await open()
    const ledger = ledgerLocation(opened.db, t.chain, 'http://node.example')
    await using shop = await testShop({ open: async () => opened, deps: { chain: t.chain, ledger } })
    const world = anchoringWorld(opened.db, t.chain)
    const untilReady = async (part: string, state: string): Promise<void> => {
      let said: unknown
      for (let i = 0; i < 200 && said !== state; i++) {
        await world.pass().catch(() => undefined)
        const answer = await shop.app.inject('/readyz')
        assert.equal(answer.statusCode, 200, answer.body)
        said = answer.json()[part]
        await sleep(50)
      }
      assert.equal(said, state)
    }
    await untilReady('chain', 'ok')
    t.lies[1] = isWrong('eth_getCode', '0x')
    await untilReady('nodes', '2 of 3 says otherwise than two others (eth_getCode)')
    await untilReady('chain', 'ok')
    let text = ''
    for (let i = 0; i < 400 && !text.includes('befaqt_chain_node_up{node="2"} 0'); i++) {
      text = (await shop.app.inject('/metrics')).body
      await sleep(50)
    }
    assert.match(text, /befaqt_chain_node_up\{node="1"\} 1\nbefaqt_chain_node_up\{node="2"\} 0\n/)
    t.lies[2] = isWrong('eth_getCode', '0x1234')
    await untilReady('chain', 'no two of 3 nodes agree (eth_getCode)')
    assert.equal((await shop.app.inject('/api/product/active')).statusCode, 200)
  })
