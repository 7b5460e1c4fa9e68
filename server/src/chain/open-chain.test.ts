import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256, parseGwei, parseTransaction, stringToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { overHttp } from '#server/testing/edr-over-http.ts'
import { startEdr } from './embedded.ts'
import { bumpFee, networkChain } from './open-chain.ts'
import { ChainUnreachable, type JsonRpc, TransactionRejected } from './port.ts'

const privateKey = keccak256(stringToBytes('a key of these tests'))
const account = privateKeyToAccount(privateKey)
const to = account.address

/** A funded account on a node behind HTTP; `change` may answer instead of the node. */
async function network(change: (method: string) => Promise<unknown> | undefined = () => undefined) {
  const node = await startEdr(account.address)
  const rpc: JsonRpc = (request) => change(request.method) ?? node(request)
  const http = await overHttp(rpc)
  return {
    node,
    http,
    chain: networkChain(http.url, privateKey, 1),
    [Symbol.asyncDispose]: http[Symbol.asyncDispose],
  }
}

test('signed transactions have the chain id, 30 % more gas than estimated, and current fees', async () => {
  await using net = await network()
  const { raw, hash } = await net.chain.sign({ to, data: '0x', nonce: 0 })
  const { chainId, gas, type, maxFeePerGas } = parseTransaction(raw)
  assert.deepEqual([chainId, gas, type], [31337, 27_301n, 'eip1559'])
  assert.ok((maxFeePerGas ?? 0n) >= parseGwei('1'))
  await net.chain.send(raw)
  assert.deepEqual([(await net.chain.receipt(hash))?.ok, await net.chain.nonce('latest')], [true, 1])
})

test('on a network without EIP-1559 transactions have a gas price', async () => {
  await using net = await network((method) =>
    method === 'eth_getBlockByNumber' ? Promise.resolve({ number: '0x1', transactions: [] }) : undefined,
  )
  const { raw } = await net.chain.sign({ to, data: '0x', nonce: 0 })
  assert.equal(parseTransaction(raw).type, 'legacy')
})

test('a replacement transaction raises every fee by a quarter, or to the current fee', async () => {
  const gwei = (n: number): bigint => parseGwei(String(n))
  const old = await account.signTransaction({
    chainId: 1,
    to,
    nonce: 5,
    gas: 90_000n,
    maxFeePerGas: gwei(40),
    maxPriorityFeePerGas: gwei(2),
  })
  const today = (fee: number, tip: number) =>
    ({ type: 'eip1559', maxFeePerGas: gwei(fee), maxPriorityFeePerGas: gwei(tip) }) as const
  const gas = 90_000n
  assert.deepEqual(bumpFee(today(10, 1), old), {
    gas,
    type: 'eip1559',
    maxFeePerGas: gwei(50) + 1n,
    maxPriorityFeePerGas: gwei(2.5) + 1n,
  })
  assert.deepEqual(bumpFee(today(90, 9), old), { gas, ...today(90, 9) })
  const plain = await account.signTransaction({
    chainId: 1,
    to,
    nonce: 5,
    gas,
    gasPrice: gwei(8),
    type: 'legacy',
  })
  assert.deepEqual(bumpFee({ type: 'legacy', gasPrice: gwei(1) }, plain), {
    gas,
    type: 'legacy',
    gasPrice: gwei(10) + 1n,
  })
})

test('resending a transaction that the node already has succeeds; one that the node rejects fails', async () => {
  await using net = await network()
  await net.node({ method: 'evm_setAutomine', params: [false] })
  const { raw } = await net.chain.sign({ to, data: '0x', nonce: 0 })
  await net.chain.send(raw)
  await net.chain.send(raw)
  const poor = await account.signTransaction({
    chainId: 31337,
    to,
    nonce: 0,
    gas: 21_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 0n,
  })
  await assert.rejects(net.chain.send(poor), TransactionRejected)
})

const silent: [name: string, url: (http: string) => string, answer?: () => Promise<unknown>][] = [
  ['nobody listens', () => 'http://127.0.0.1:9'],
  ['no such host', () => 'http://chain.invalid'],
  ['the node is broken', (url) => url, () => Promise.reject(new Error('disk full'))],
  ['nonsense comes back', (url) => url, () => Promise.resolve('nonsense')],
]

for (const [name, urlOf, answer] of silent)
  test(`unreachable: ${name}`, async () => {
    await using net = await network(() => answer?.())
    const chain = networkChain(urlOf(net.http.url), privateKey, 1)
    const hash: Hex = `0x${'ab'.repeat(32)}`
    for (const question of [
      () => chain.blockNumber(),
      () => chain.anchorCount(to),
      () => chain.receipt(hash),
    ])
      await assert.rejects(question(), ChainUnreachable)
  })
