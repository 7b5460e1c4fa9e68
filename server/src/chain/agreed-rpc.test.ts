import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ledgerAbi } from '@befaqt/contract/abi'
import { encodeFunctionData } from 'viem'
import { privateKey } from '#server/testing/network.ts'
import { faults, severalNodes } from '#server/testing/several-nodes.ts'
import { networkChain } from './open-chain.ts'

test('what strangers read through the shop is agreed on, too, with logs and blocks, and marks no node', async () => {
  await using several = await severalNodes(3)
  const { chain, lies, network } = several
  const contract = await network.deployLedger()
  const data = encodeFunctionData({
    abi: ledgerAbi,
    functionName: 'anchor',
    args: [0n, `0x${'ab'.repeat(32)}`, 1, 2],
  })
  const { raw, hash } = await chain.sign({ to: contract, data, nonce: 1 })
  await chain.send(raw)
  lies[0] = ({ method }) =>
    method === 'eth_chainId' ? undefined : Promise.resolve(method === 'eth_blockNumber' ? '0x2' : [])
  for (let found = 0; found < 1; found = await chain.anchorCount(contract)) await sleep(50) // a newest block is good for a moment
  assert.equal(await chain.findAnchorTransaction(contract, 0), hash)
  const logs = await chain.rpc({
    method: 'eth_getLogs',
    params: [{ address: contract, fromBlock: '0x0', toBlock: 'latest' }],
  })
  assert.ok(Array.isArray(logs) && logs.some(({ transactionHash }) => transactionHash === hash))
  const block = await chain.rpc({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  assert.deepEqual(Object(block).transactions, [hash])
  assert.equal(Object(await chain.rpc({ method: 'eth_getTransactionByHash', params: [hash] })).input, data)
  await assert.rejects(
    chain.rpc({ method: 'eth_call', params: [{ to: contract, data: '0xdeadbeef' }, 'latest'] }),
  )
  const fresh = networkChain(
    several.doors.map(({ url }) => url),
    privateKey,
    1,
  )
  await fresh.rpc({ method: 'eth_getCode', params: [contract, 'latest'] })
  assert.deepEqual(faults(fresh), [])
})
