import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerAbi, ledgerBytecode } from '@befaqt/contract/abi'
import { readChain } from '@befaqt/domain/api/endpoints/boxes'
import fc from 'fast-check'
import Fastify from 'fastify'
import { encodeDeployData, encodeErrorResult, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { enforceLimits } from '#server/http/limits/enforce-limits.ts'
import { limitClasses } from '#server/http/limits/route-limits.ts'
import { noteMatched } from '#server/http/route.ts'
import { embeddedChain } from './embedded.ts'
import { ChainUnreachable, type JsonRpc } from './port.ts'
import { rpcProxy } from './rpc-proxy.ts'

/** A chain with a ledger and one anchor, a door before it, and what came through. */
async function openProxy() {
  const chain = await embeddedChain()
  const args = [chain.account, chain.account] as const
  const creation = encodeDeployData({ abi: ledgerAbi, bytecode: ledgerBytecode, args })
  const deploy = await chain.sign({ to: null, data: creation, nonce: 0 })
  await chain.send(deploy.raw, 1_700_000_000)
  const contract = getContractAddress({ from: chain.account, nonce: 0n })
  const first = [0n, `0x${'11'.repeat(32)}`, 1, 1] as const
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: 'anchor', args: first })
  const anchor = await chain.sign({ to: contract, data, nonce: 1 })
  await chain.send(anchor.raw, 1_700_000_060)

  const passed: string[] = []
  const rpc: JsonRpc = (request) => {
    passed.push(request.method)
    return chain.rpc(request)
  }
  const app = Fastify()
  noteMatched(app)
  await enforceLimits(app)
  await rpcProxy(app, { rpc })
  const post = async (payload: unknown) => {
    const headers = { 'content-type': 'application/json', origin: 'https://stranger.example' }
    const reply = await app.inject({
      method: 'POST',
      url: readChain.url,
      headers,
      payload: JSON.stringify(payload),
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
  }
  const call = async (method: string, ...params: unknown[]) => {
    const { body } = await post({ jsonrpc: '2.0', id: 1, method, params })
    return body
  }
  return { app, chain, contract, anchorHash: anchor.hash, call, post, passed }
}

const callData = (index: number): Hex =>
  encodeFunctionData({ abi: ledgerAbi, functionName: 'anchorOf', args: [BigInt(index)] })

test('anybody can read chain, contract, logs, block, transaction and receipt', async () => {
  const { call, contract, anchorHash } = await openProxy()
  assert.equal((await call('eth_chainId')).result, '0x7a69')
  assert.equal((await call('eth_blockNumber')).result, '0x2')
  assert.match((await call('eth_call', { to: contract, data: callData(0) }, 'latest')).result, /^0x(11){32}/)
  const [log] = (await call('eth_getLogs', { address: contract, fromBlock: '0x2', toBlock: 'latest' })).result
  assert.equal(log.transactionHash, anchorHash)
  assert.equal((await call('eth_getBlockByNumber', '0x2', false)).result.timestamp, '0x6553f13c')
  assert.equal((await call('eth_getTransactionByHash', anchorHash)).result.blockNumber, '0x2')
  assert.equal((await call('eth_getTransactionReceipt', anchorHash)).result.status, '0x1')
})

test('a reverted call returns the bytes of its error, as nodes do', async () => {
  const { call, contract } = await openProxy()
  const { error } = await call('eth_call', { to: contract, data: callData(5) }, 'latest')
  const data = encodeErrorResult({ abi: ledgerAbi, errorName: 'NoSuchAnchor', args: [5n] })
  assert.deepEqual(error, { code: 3, message: 'execution reverted', data })
})

test('no method outside the allowed list reaches the chain', async () => {
  const { call, passed, post, chain } = await openProxy()
  const known = [
    'eth_sendRawTransaction',
    'evm_mine',
    'hardhat_reset',
    'hardhat_setStorageAt',
    'eth_accounts',
  ]
  for (const method of [...known, 'constructor', '__proto__', 'toString', 'ETH_CALL', 'eth_call ', ''])
    assert.equal((await call(method)).error.code, -32601, method)
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.jsonValue(), async (method, params) => {
      await post({ jsonrpc: '2.0', id: 1, method, params })
    }),
    { numRuns: 100 },
  )
  assert.deepEqual(passed, [])
  assert.equal(await chain.blockNumber(), 2)
})

test('a call is bounded: no state override, no big data, no more gas than reading takes', async () => {
  const { call, contract, passed } = await openProxy()
  const read = { to: contract, data: callData(0) }
  assert.equal((await call('eth_call', read, 'latest', { [contract]: { code: '0x' } })).error.code, -32602)
  assert.equal(
    (await call('eth_call', { ...read, data: `0x${'00'.repeat(1_025)}` }, 'latest')).error.code,
    -32602,
  )
  assert.equal((await call('eth_call', { data: '0x5b600056' }, 'latest')).error.code, -32602)
  assert.deepEqual(passed, [])
  const generous = await call('eth_call', { ...read, gas: '0xffffffffffff', value: '0xffff' }, 'latest')
  assert.match(generous.result, /^0x11/, 'gas and value of the caller are not passed on')
})

test('logs are read over bounded ranges only', async () => {
  const rpc: JsonRpc = async ({ method }) => (method === 'eth_blockNumber' ? '0x100000' : [])
  const app = Fastify()
  noteMatched(app)
  await rpcProxy(app, { rpc })
  for (const [fromBlock, toBlock, allowed] of [
    ['0x0', 'latest', false],
    ['earliest', 'latest', false],
    ['0xfd8f0', '0x100000', false],
    ['0xfd8f1', '0x100000', true],
    ['latest', 'latest', true],
    ['0xfffff', '0xffffffffffff', true],
    ['0x100001', '0x100001', false],
    ['0xffffffff', '0xfffffffff', false],
  ] as const) {
    const payload = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{ fromBlock, toBlock }] }
    const reply = await app.inject({ method: 'POST', url: readChain.url, payload })
    assert.equal('result' in reply.json(), allowed, `${fromBlock} to ${toBlock}`)
  }
})

test('logs up to a block far beyond the newest are those up to the newest', async () => {
  const { call, contract, anchorHash, passed } = await openProxy()
  for (const toBlock of ['0x3', '0xffffffff', '0xffffffffffff']) {
    const { result } = await call('eth_getLogs', { address: contract, fromBlock: '0x2', toBlock })
    const [log, ...more]: { transactionHash: string }[] = result
    assert.deepEqual([log?.transactionHash, more], [anchorHash, []])
  }
  passed.length = 0
  const beyond = await call('eth_getLogs', { fromBlock: '0x3', toBlock: '0xffffffffffff' })
  assert.deepEqual(beyond.error, { code: -32602, message: 'params[0].fromBlock: the newest block is 2' })
  assert.deepEqual(passed, ['eth_blockNumber'])
  assert.equal((await call('eth_blockNumber')).result, '0x2')
})

test('a batch that takes too long returns what was read in time, and an error for every other call', async () => {
  let calls = 0
  const rpc: JsonRpc = async () => (calls++ === 0 ? '0x1' : await sleep(30, '0x2'))
  const app = Fastify()
  noteMatched(app)
  await rpcProxy(app, { rpc, batchMs: 10 })
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
  const reply = await app.inject({ method: 'POST', url: readChain.url, payload: [call, call, call, call] })
  const answers: { result?: string; error?: { code: number; message: string } }[] = reply.json()
  assert.deepEqual(answers.at(-1)?.error, { code: -32000, message: 'The chain cannot be reached.' })
  assert.equal(answers.length, 4)
  assert.ok(calls < 4, `${calls} calls reached the chain`)
})

test('a batch of at most 50 calls gets a response for each, valid or not', async () => {
  const { post } = await openProxy()
  const good = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] })
  const { body } = await post([good(1), { nonsense: true }, { ...good(2), method: 'evm_mine' }, good(3)])
  assert.deepEqual(
    body.map((item: { id: number; error?: { code: number } }) => [item.id, item.error?.code]),
    [
      [1, undefined],
      [null, -32600],
      [2, -32601],
      [3, undefined],
    ],
  )
  assert.equal((await post(Array.from({ length: 50 }, (_, i) => good(i)))).body.length, 50)
  assert.equal((await post(Array.from({ length: 51 }, (_, i) => good(i)))).body.error.code, -32005)
  assert.equal((await post([])).body.error.code, -32600)
})

test('CORS headers let pages of any site call, and read rejections too', async () => {
  const { app, post } = await openProxy()
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: readChain.url,
    headers: { origin: 'https://stranger.example' },
  })
  assert.equal(preflight.statusCode, 204)
  assert.equal(preflight.headers['access-control-allow-origin'], '*')
  assert.equal(preflight.headers['access-control-allow-headers'], 'content-type')
  const tooLarge = await post('x'.repeat(200_000))
  assert.deepEqual([tooLarge.status, tooLarge.headers['access-control-allow-origin']], [413, '*'])
  assert.equal(tooLarge.headers['access-control-allow-credentials'], undefined)
})

test('when the chain does not answer, the proxy says so without revealing an internal address', async () => {
  const app = Fastify()
  noteMatched(app)
  await rpcProxy(app, { rpc: () => Promise.reject(new Error('connect http://user:key@10.0.0.7')) })
  const payload = { jsonrpc: '2.0', id: 7, method: 'eth_chainId' }
  const reply = await app.inject({ method: 'POST', url: readChain.url, payload })
  assert.deepEqual([reply.json().id, reply.json().error.code], [7, -32000])
  assert.doesNotMatch(reply.body, /key|10\.0/)
})

test('calls per minute from one address are limited; the rejection says how long to wait, and pages can read it', async () => {
  const app = Fastify()
  noteMatched(app)
  await enforceLimits(app, { ...limitClasses, rpc: { ...limitClasses.rpc, perMinute: 20 } })
  await rpcProxy(app, { rpc: async () => '0x1' })
  const payload = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
  const ask = (remoteAddress: string) =>
    app.inject({ method: 'POST', url: readChain.url, payload, remoteAddress })
  for (let i = 0; i < 20; i++) assert.equal((await ask('10.0.0.1')).statusCode, 200)
  const { statusCode, headers, ...refused } = await ask('10.0.0.1')
  assert.deepEqual([statusCode, refused.json().error.code], [429, -32005])
  assert.match(refused.json().error.message, /^Too many requests\. Please wait \d+ seconds\.$/)
  assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 60)
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['access-control-expose-headers'], 'retry-after')
  assert.equal((await ask('10.0.0.2')).statusCode, 200)
})

test('a chain that cannot be synced is reported unreachable, and no error is logged', async () => {
  const logged: number[] = []
  const stream = { write: (line: string) => void logged.push(JSON.parse(line).level) }
  await using app = Fastify({ logger: { level: 'warn', stream } })
  noteMatched(app)
  await enforceLimits(app)
  const sync = () => Promise.reject(new ChainUnreachable(new Error('timeout')))
  await rpcProxy(app, { rpc: async () => '0x1', sync })
  const reply = await app.inject({
    method: 'POST',
    url: readChain.url,
    payload: { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] },
  })
  assert.deepEqual([reply.statusCode, reply.headers['retry-after']], [503, '5'])
  assert.deepEqual(reply.json().error, { code: -32000, message: 'The chain cannot be reached.' })
  assert.deepEqual(logged, [])
})

test('a small batch can’t ask for results without end: what is too large is refused, and nothing asked for it', async () => {
  const results: Record<string, unknown> = { eth_blockNumber: '0x1', eth_chainId: '0x1' }
  const asked: string[] = []
  const rpc: JsonRpc = async ({ method }) => {
    asked.push(method)
    return results[method] ?? 'x'.repeat(40)
  }
  const app = Fastify()
  noteMatched(app)
  await enforceLimits(app)
  await rpcProxy(app, { rpc, maxResults: 100 })
  const ask = async (payload: object) =>
    (await app.inject({ method: 'POST', url: readChain.url, payload })).json()
  const hash = `0x${'11'.repeat(32)}`
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_getTransactionByHash', params: [hash] })
  const answers = await ask([1, 2, 3, 4].map(call))
  const told = answers.map(({ id, error }: { id: number; error?: { code: number } }) => [id, error?.code])
  assert.deepEqual(told, [
    [1, undefined],
    [2, undefined],
    [3, -32005],
    [4, -32005],
  ])
  assert.equal(asked.length, 3, 'the last one is not forwarded')
  results.eth_getTransactionByHash = 'x'.repeat(200)
  assert.equal((await ask(call(7))).error.code, -32005, 'nor may one call alone')
  assert.equal((await ask({ ...call(8), method: 'eth_chainId', params: [] })).result, '0x1')
  await app.close()
})
