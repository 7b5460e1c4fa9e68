import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { privateKeyToAddress } from 'viem/accounts'
import { startEdr } from './embedded.ts'
import { networkChain } from './open-chain.ts'
import { ChainUnreachable } from './port.ts'
import { withTimeLimit } from './rpc-calls.ts'

const key = `0x${'11'.repeat(32)}` as const

test('a slow call to the embedded chain times out, and nothing queues behind it', async () => {
  const rpc = withTimeLimit(await startEdr(privateKeyToAddress(key)), 20)
  const logs = { method: 'eth_getLogs', params: [{ fromBlock: '0x0', toBlock: '0xfffffff' }] }
  await assert.rejects(rpc(logs), ChainUnreachable)
  await assert.rejects(rpc({ method: 'eth_chainId' }), ChainUnreachable)
  let chainId: unknown
  while (chainId === undefined) {
    await sleep(20)
    chainId = await rpc({ method: 'eth_chainId' }).catch(() => undefined)
  }
  assert.equal(chainId, '0x7a69')
})

test('an error returned within the time limit is passed on unchanged', async () => {
  const rpc = withTimeLimit(() => Promise.reject(new Error('refused')), 60_000)
  await assert.rejects(rpc({ method: 'eth_call' }), { message: 'refused' })
})

test('a node that never finishes its response times out', async () => {
  const node = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":"2.0",')
  }).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const { port } = node.address() as AddressInfo
  await assert.rejects(networkChain(`http://127.0.0.1:${port}`, key, 1, 200).chainId(), ChainUnreachable)
  node.closeAllConnections()
  node.close()
})
