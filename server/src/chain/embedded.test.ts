import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerAbi, ledgerBytecode } from '@befaqt/contract/abi'
import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex } from 'viem'
import { embeddedChain } from './embedded.ts'
import { type Chain, TransactionRejected } from './port.ts'

const root: Hex = `0x${'5a'.repeat(32)}`
const anchorData = (index: number): Hex =>
  encodeFunctionData({ abi: ledgerAbi, functionName: 'anchor', args: [BigInt(index), root, 2, 3] })
const contractOf = (chain: Chain): Hex => getContractAddress({ from: chain.account, nonce: 0n })

async function deployed(chain: Chain, time: number): Promise<Hex> {
  const args = [chain.account, chain.account] as const
  const data = encodeDeployData({ abi: ledgerAbi, bytecode: ledgerBytecode, args })
  const signed = await chain.sign({ to: null, data, nonce: 0 })
  await chain.send(signed.raw, time)
  return signed.raw
}

test('a restarted chain gives the same transactions the same hashes, blocks and times', async () => {
  const [first, second] = await Promise.all([embeddedChain(), embeddedChain()])
  const raws = [await deployed(first, 1_700_000_000)]
  for (const [nonce, time] of [
    [1, 1_700_000_060],
    [2, 1_700_000_060],
  ] as const) {
    const signed = await first.sign({ to: contractOf(first), data: anchorData(nonce - 1), nonce })
    await first.send(signed.raw, time)
    raws.push(signed.raw)
    assert.equal((await first.receipt(signed.hash))?.blockTime, time)
  }
  for (const [i, raw] of raws.entries())
    await second.send(raw, [1_700_000_000, 1_700_000_060, 1_700_000_060][i])
  const hashes = await Promise.all(
    [0, 1].map((index) => second.findAnchorTransaction(contractOf(second), index)),
  )
  for (const hash of hashes) {
    assert.ok(hash)
    assert.deepEqual(await second.receipt(hash), await first.receipt(hash))
  }
  assert.equal(await second.blockNumber(), 3)
})

test('the embedded chain’s ledger is read as the protocol specifies', async () => {
  const chain = await embeddedChain()
  await deployed(chain, 1_700_000_000)
  const contract = contractOf(chain)
  assert.deepEqual([await chain.anchorCount(contract), await chain.anchorOf(contract, 0)], [0, undefined])
  const { raw, hash } = await chain.sign({ to: contract, data: anchorData(0), nonce: 1 })
  await chain.send(raw, 1_700_000_001)
  const anchor = await chain.anchorOf(contract, 0)
  assert.deepEqual(anchor, { root: '5a'.repeat(32), time: 1_700_000_001, boxes: 2, records: 3 })
  assert.deepEqual(
    [await chain.anchorCount(contract), await chain.findAnchorTransaction(contract, 0)],
    [1, hash],
  )
  assert.deepEqual([await chain.hasCode(contract), await chain.hasCode(chain.account)], [true, false])
})

test('sending the same transaction twice has no further effect; another one with its nonce is rejected', async () => {
  const chain = await embeddedChain()
  const raw = await deployed(chain, 1_700_000_000)
  await chain.send(raw, 1_700_000_005)
  assert.deepEqual([await chain.blockNumber(), await chain.nonce('latest')], [1, 1])
  const other = await chain.sign({ to: chain.account, data: '0x', nonce: 0 })
  await assert.rejects(chain.send(other.raw, 1_700_000_006), TransactionRejected)
  assert.equal(await chain.receipt(other.hash), undefined)
})

test('a reverted transaction is reported as reverted', async () => {
  const chain = await embeddedChain()
  await deployed(chain, 1_700_000_000)
  const { raw, hash } = await chain.sign({ to: contractOf(chain), data: anchorData(7), nonce: 1 })
  await chain.send(raw, 1_700_000_001)
  assert.equal((await chain.receipt(hash))?.ok, false)
})
