import { isPlainObject } from './canonical.ts'
import { type Fetch, jsonRpc, type RpcCall, type RpcTimes, type Send } from './json-rpc.ts'
import {
  type AnchorEvent,
  type LedgerAnchor,
  LedgerError,
  type LedgerIdentity,
  type LedgerReader,
} from './ledger.ts'

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

type Block = { readonly number: string; readonly hash: string }

/**
 * A node's responses about anchors: their receipts, their blocks, what the contract stores of them. It holds while the
 * newest of these blocks is on the node's chain, for its hash commits to all blocks before it. Of one node and one
 * contract; go on with it only after a check that was proven, which has then seen the block of every anchor.
 */
export class LedgerMemory {
  readonly #answers = new Map<string, unknown>()
  #newest: Block | undefined

  /** Sends only calls without a stored answer, after asking once whether the newest block is still there. For one check. */
  wrap(send: Send): Send {
    let ready: Promise<void> | undefined
    return async (calls) => {
      if (!calls.some(isLasting)) return send(calls)
      ready ??= this.#confirm(send)
      await ready
      const asked = calls.filter((call) => !this.#answers.has(keyOf(call)))
      const answers = await send(asked)
      const fresh = new Map(asked.map((call, i) => [call, answers[i]]))
      for (const [call, answer] of fresh) this.#keep(call, answer)
      return calls.map((call) => (fresh.has(call) ? fresh.get(call) : this.#answers.get(keyOf(call))))
    }
  }

  async #confirm(send: Send): Promise<void> {
    if (this.#newest === undefined) return
    const { number, hash } = this.#newest
    const [block] = await send([{ method: BLOCK, params: [number, false] }])
    if (isPlainObject(block) && block.hash === hash) return
    this.#answers.clear()
    this.#newest = undefined
  }

  #keep(call: RpcCall, answer: unknown): void {
    if (!isLasting(call) || answer === null) return
    this.#answers.set(keyOf(call), answer)
    if (call.method !== BLOCK || !isPlainObject(answer) || typeof answer.hash !== 'string') return
    const number = String(call.params[0])
    if (Number(number) > Number(this.#newest?.number ?? -1)) this.#newest = { number, hash: answer.hash }
  }
}

const BLOCK = 'eth_getBlockByNumber'

const keyOf = ({ method, params }: RpcCall): string => JSON.stringify([method, params])

/** Only what the chain appends to can change of others: how many anchors there are. */
function isLasting({ method, params: [first] }: RpcCall): boolean {
  if (method !== 'eth_call') return method === BLOCK || method === 'eth_getTransactionReceipt'
  return isPlainObject(first) && String(first.data).startsWith(ANCHOR_OF_SELECTOR)
}

/** First four bytes of keccak256('count()'). rpc-ledger-abi.test.ts recomputes all three. */
export const COUNT_SELECTOR = '0x06661abd'
/** First four bytes of keccak256('anchorOf(uint64)'). */
export const ANCHOR_OF_SELECTOR = '0x34defa7c'
/** keccak256('Anchored(uint64,bytes32,uint32,uint32)'): the first topic of every such event. */
export const ANCHORED_TOPIC = '0xfe4d009d4cabf2c95b0c58f5010c59da49239a0e27c431517393afbfe34f3a30'

/** The call data of `anchorOf(index)`. Source: Solidity ABI, static types: 32 bytes each, big end first. */
export const anchorOfCall = (index: number): string =>
  ANCHOR_OF_SELECTOR + index.toString(16).padStart(64, '0')

/** The 32-byte words of ABI data, as 64 lower-case hex characters each. @throws LedgerError unless exactly `count` */
export function abiWords(data: unknown, count: number): string[] {
  if (typeof data !== 'string' || !/^0x[0-9a-fA-F]*$/.test(data) || data.length !== 2 + 64 * count)
    throw new LedgerError('the ledger answered with data of another shape; is the contract really there?')
  return data.slice(2).toLowerCase().match(/.{64}/g) ?? []
}

/** A whole number written in hex, with or without `0x`. @throws LedgerError for anything else, and beyond 2^53 - 1 */
export function numberFromHex(hex: unknown): number {
  const digits = typeof hex === 'string' ? hex.replace(/^0x/, '') : ''
  const value = /^[0-9a-fA-F]{1,64}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
  if (!Number.isSafeInteger(value))
    throw new LedgerError('the ledger answered with something that is no number')
  return value
}
