import { ledgerAbi } from '@befaqt/contract/abi'
import {
  type Hex,
  keccak256,
  type PrivateKeyAccount,
  type PublicClient,
  TransactionReceiptNotFoundError,
} from 'viem'
import type { Chain, LedgerAnchor, Receipt, TransactionRequest } from './port.ts'
import { isRevert, readCall, sendCall } from './rpc-calls.ts'

/** Gas limit and fees of one transaction, in gas and wei. */
export type Price = { gas: bigint } & (
  | { type: 'eip1559'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  | { type: 'legacy'; gasPrice: bigint }
)

/** What differs between the embedded chain and a network. */
export type EvmChainParts = Pick<Chain, 'kind' | 'confirmations' | 'rpc' | 'nodes' | 'close'> & {
  client: PublicClient
  account: PrivateKeyAccount
  price(wanted: TransactionRequest): Promise<Price>
  send(raw: Hex, blockTime?: number): Promise<void>
}

/** A chain with Ethereum's JSON-RPC, by viem. */
export function evmChain({ client, account, price, send, ...rest }: EvmChainParts): Chain {
  const { address } = account
  const ledgerAt = (contract: Hex) => ({ address: contract, abi: ledgerAbi }) as const
  return {
    ...rest,
    account: address,
    chainId: () => readCall(() => client.getChainId()),
    blockNumber: () => readCall(async () => Number(await client.getBlockNumber({ cacheTime: 0 }))),
    nonce: (blockTag) => readCall(() => client.getTransactionCount({ address, blockTag })),
    hasCode: (of) => readCall(async () => (await client.getCode({ address: of })) !== undefined),
    async sign(wanted) {
      const { to, data, nonce } = wanted
      const [chainId, cost] = await Promise.all([
        readCall(() => client.getChainId()),
        sendCall(() => price(wanted)),
      ])
      const raw = await account.signTransaction({ chainId, to, data, nonce, ...cost })
      return { hash: keccak256(raw), raw, nonce }
    },
    send: (raw, blockTime) => sendCall(() => send(raw, blockTime)),
    receipt: (hash) => readCall(() => mined(client, hash)),
    anchorCount: (contract) =>
      readCall(async () =>
        Number(await client.readContract({ ...ledgerAt(contract), functionName: 'count' })),
      ),
    anchorOf: (contract, index) => readCall(() => anchorOf(client, contract, index)),
    findAnchorTransaction: (contract, index) =>
      readCall(() => findAnchorTransaction(client, contract, index)),
  }
}

async function mined(client: PublicClient, hash: Hex): Promise<Receipt | undefined> {
  const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  })
  if (receipt === undefined) return undefined
  const { blockNumber, blockHash, status } = receipt
  const { timestamp } = await client.getBlock({ blockHash })
  if (typeof blockNumber !== 'bigint' || typeof timestamp !== 'bigint') throw new Error('not a receipt')
  return {
    blockNumber: Number(blockNumber),
    blockTime: Number(timestamp),
    blockHash,
    ok: status === 'success',
  }
}

async function anchorOf(
  client: PublicClient,
  address: Hex,
  index: number,
): Promise<LedgerAnchor | undefined> {
  try {
    const args = [BigInt(index)] as const
    const answer = await client.readContract({ address, abi: ledgerAbi, functionName: 'anchorOf', args })
    const [root, time, boxes, records] = answer
    return { root: root.slice(2), time: Number(time), boxes, records }
  } catch (error) {
    if (isRevert(error, 'NoSuchAnchor')) return undefined
    throw error
  }
}

/** Upper bound for blocks per second of the fastest networks. */
const BLOCKS_A_SECOND = 100n

/** Finds the block by the anchor's time, since many nodes answer eth_getLogs for short ranges only. */
async function findAnchorTransaction(
  client: PublicClient,
  address: Hex,
  index: number,
): Promise<Hex | undefined> {
  const anchor = await anchorOf(client, address, index)
  if (anchor === undefined) return undefined
  const fromBlock = await firstBlockFrom(client, BigInt(anchor.time))
  const [event] = await client.getContractEvents({
    address,
    abi: ledgerAbi,
    eventName: 'Anchored',
    args: { index: BigInt(index) },
    fromBlock,
    toBlock: fromBlock + BLOCKS_A_SECOND,
  })
  return event?.transactionHash
}

/** Number of the first block at or after `time`, by binary search: about 25 calls on the longest chains. */
async function firstBlockFrom(client: PublicClient, time: bigint): Promise<bigint> {
  let low = 0n
  let high = await client.getBlockNumber({ cacheTime: 0 })
  while (low < high) {
    const middle = (low + high) / 2n
    const { timestamp } = await client.getBlock({ blockNumber: middle })
    if (timestamp < time) low = middle + 1n
    else high = middle
  }
  return low
}
