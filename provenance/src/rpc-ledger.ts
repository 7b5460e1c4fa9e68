import { isPlainObject } from './canonical.ts'
import { type Fetch, jsonRpc, type RpcTimes, type Send } from './json-rpc.ts'
import {
  type AnchorEvent,
  type LedgerAnchor,
  LedgerError,
  type LedgerIdentity,
  type LedgerReader,
} from './ledger.ts'
import { ANCHORED_TOPIC, abiWords, anchorOfCall, COUNT_SELECTOR, numberFromHex } from './ledger-abi.ts'
import type { LedgerMemory } from './ledger-memory.ts'

export interface RpcLedgerOptions extends RpcTimes {
  /** The contract to trust, `0x` and 40 hex characters. */
  readonly contract: string
  /** Former responses of the same node about the same contract. */
  readonly memory?: LedgerMemory
}

/**
 * Reads the contract through any Ethereum JSON-RPC node. Needs `eth_chainId`, `eth_call`,
 * `eth_getTransactionReceipt` and `eth_getBlockByNumber`, at most 50 in a batch. Believes the node's word: choose one
 * that is not the shop's. Every method rejects with LedgerError when the node fails or answers nonsense.
 */
export function rpcLedger(url: string, fetch: Fetch, options: RpcLedgerOptions): LedgerReader {
  const request = jsonRpc(url, fetch, options)
  const send = options.memory?.wrap(request) ?? request
  const contract = options.contract.toLowerCase()
  let identity: Promise<LedgerIdentity> | undefined
  const readIdentity = async (): Promise<LedgerIdentity> => {
    const [chainId] = await send([{ method: 'eth_chainId', params: [] }])
    return { chainId: numberFromHex(chainId), contract }
  }
  return {
    live: true,
    identity: () => (identity ??= readIdentity()),
    count: async () => {
      const [data] = await send([callOf(contract, COUNT_SELECTOR)])
      return numberFromHex(abiWords(data, 1)[0])
    },
    anchorsOf: async (indexes) => {
      const answers = await send(indexes.map((index) => callOf(contract, anchorOfCall(index))))
      return answers.map(anchorIn)
    },
    eventsOf: (txHashes) => readEvents(send, contract, txHashes),
  }
}

const callOf = (to: string, data: string) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })

function anchorIn(data: unknown): LedgerAnchor {
  const [root = '', time, boxes, records] = abiWords(data, 4)
  return { root, time: numberFromHex(time), boxes: numberFromHex(boxes), records: numberFromHex(records) }
}

/** The receipt of a transaction, as far as it is looked at. */
interface Receipt {
  readonly blockNumber: number
  readonly blockHash: unknown
  readonly logs: readonly unknown[]
}

async function readEvents(
  send: Send,
  contract: string,
  txHashes: readonly string[],
): Promise<AnchorEvent[][]> {
  const answers = await send(
    txHashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const receipts = answers.map((answer, i) => receiptIn(answer, txHashes[i]))
  const times = await readBlockTimes(send, receipts)
  return receipts.map((receipt) => {
    if (receipt === undefined) return []
    const blockTime = times.get(receipt.blockNumber) ?? Number.NaN
    return receipt.logs.flatMap((log) => eventIn(log, contract, receipt.blockNumber, blockTime))
  })
}

/** undefined when the node has no such transaction, or one that failed. */
function receiptIn(answer: unknown, txHash: string | undefined): Receipt | undefined {
  if (answer === null) return undefined
  if (!isPlainObject(answer) || !Array.isArray(answer.logs))
    throw new LedgerError('the node gave no valid receipt')
  if (typeof answer.transactionHash !== 'string' || answer.transactionHash.toLowerCase() !== txHash)
    throw new LedgerError('the node gave the receipt of another transaction')
  if (answer.status !== '0x1') return undefined
  return { blockNumber: numberFromHex(answer.blockNumber), blockHash: answer.blockHash, logs: answer.logs }
}

async function readBlockTimes(
  send: Send,
  receipts: readonly (Receipt | undefined)[],
): Promise<Map<number, number>> {
  const hashes = new Map(
    receipts.flatMap((receipt) => (receipt ? [[receipt.blockNumber, receipt.blockHash]] : [])),
  )
  const numbers = [...hashes.keys()]
  const blocks = await send(
    numbers.map((number) => ({
      method: 'eth_getBlockByNumber',
      params: [`0x${number.toString(16)}`, false],
    })),
  )
  return new Map(
    numbers.map((number, i) => {
      const block = blocks[i]
      if (!isPlainObject(block) || typeof block.hash !== 'string' || block.hash !== hashes.get(number))
        throw new LedgerError('the node gave a block that does not fit its receipts')
      return [number, numberFromHex(block.timestamp)]
    }),
  )
}

/** The `Anchored` event of a log, or none when the log is another contract's or another event. */
function eventIn(log: unknown, contract: string, blockNumber: number, blockTime: number): AnchorEvent[] {
  if (!isPlainObject(log) || typeof log.address !== 'string' || !Array.isArray(log.topics)) return []
  const [topic, index]: unknown[] = log.topics
  if (log.address.toLowerCase() !== contract || topic !== ANCHORED_TOPIC || log.removed === true) return []
  const [root = '', boxes, records] = abiWords(log.data, 3)
  return [
    {
      index: numberFromHex(index),
      root,
      boxes: numberFromHex(boxes),
      records: numberFromHex(records),
      blockNumber,
      blockTime,
    },
  ]
}
