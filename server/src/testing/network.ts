import { ledgerAbi, ledgerBytecode } from '@befaqt/contract/abi'
import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  stringToBytes,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startEdr } from '#server/chain/embedded.ts'
import { networkChain } from '#server/chain/open-chain.ts'
import type { Chain, JsonRpc } from '#server/chain/port.ts'
import { type ChainOverHttp, overHttp } from './edr-over-http.ts'

/** Private key of the account that signs on a test network. */
export const privateKey = keccak256(stringToBytes('a key of these tests'))
const account = privateKeyToAccount(privateKey)

export type TestNetwork = AsyncDisposable & {
  /** Of the account that holds all the ether. */
  privateKey: Hex
  chain: Chain
  http: ChainOverHttp
  node: { rpc: JsonRpc }
  mine(blocks?: number): Promise<void>
  /** From now on transactions wait until `mine`. */
  mineByHand(): Promise<void>
  /** Takes a snapshot; the returned function reverts the chain to it, as a reorganisation does. */
  snapshot(): Promise<() => Promise<void>>
  /** Sends a foreign transaction with our key. */
  foreign(nonce: number, gwei: bigint): Promise<Hex>
  /** Sends a call to the contract, with our key, that is reverted in its block. */
  reverted(contract: Hex): Promise<Hex>
  revokeAnchorer(contract: Hex): Promise<void>
  /** Deploys a contract that holds no anchors, with our key. */
  deployLedger(): Promise<Hex>
  /** Restarts the node with an empty chain. */
  reset(): Promise<void>
}

/** A network of one node behind HTTP. */
export async function testNetwork(confirmations = 1): Promise<TestNetwork> {
  const node = { rpc: await startEdr(account.address) }
  const http = await overHttp((request) => node.rpc(request))
  const chain = networkChain(http.url, privateKey, confirmations)
  return {
    privateKey,
    chain,
    http,
    node,
    async mine(blocks = 1) {
      for (let i = 0; i < blocks; i++) await node.rpc({ method: 'evm_mine' })
    },
    async mineByHand() {
      await node.rpc({ method: 'evm_setAutomine', params: [false] })
    },
    async snapshot() {
      const id = await node.rpc({ method: 'evm_snapshot' })
      return async () => void (await node.rpc({ method: 'evm_revert', params: [id] }))
    },
    async foreign(nonce, gwei) {
      const fee = gwei * 10n ** 9n
      const raw = await account.signTransaction({
        chainId: 31337,
        to: account.address,
        nonce,
        gas: 21_000n,
        maxFeePerGas: fee,
        maxPriorityFeePerGas: fee,
      })
      return (await node.rpc({ method: 'eth_sendRawTransaction', params: [raw] })) as Hex
    },
    async reverted(contract) {
      const fee = 10n ** 10n
      const raw = await account.signTransaction({
        chainId: 31337,
        to: contract,
        data: '0xdeadbeef',
        nonce: await chain.nonce('latest'),
        gas: 100_000n,
        maxFeePerGas: fee,
        maxPriorityFeePerGas: fee,
      })
      await chain.send(raw)
      return keccak256(raw)
    },
    async revokeAnchorer(contract) {
      const data = encodeFunctionData({ abi: ledgerAbi, functionName: 'revokeAnchorer' })
      const { raw } = await chain.sign({ to: contract, data, nonce: await chain.nonce('latest') })
      await chain.send(raw)
    },
    async deployLedger() {
      const args = [chain.account, chain.account] as const
      const data = encodeDeployData({ abi: ledgerAbi, bytecode: ledgerBytecode, args })
      const nonce = await chain.nonce('latest')
      await chain.send((await chain.sign({ to: null, data, nonce })).raw)
      return getContractAddress({ from: chain.account, nonce: BigInt(nonce) })
    },
    async reset() {
      node.rpc = await startEdr(account.address)
    },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  }
}
