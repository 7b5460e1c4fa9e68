import type { Compared, Nodes } from './nodes.ts'
import type { JsonRpc } from './port.ts'
import { isAnswer, revertData } from './rpc-calls.ts'

/** Where a method has the block that it is asked of. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getBlockByNumber: 0,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
}

/** Figures that differ from node to node. */
const FIGURES = new Set(['eth_estimateGas', 'eth_gasPrice', 'eth_maxPriorityFeePerGas'])

const LOG = ['address', 'topics', 'data', 'blockNumber', 'blockHash', 'transactionHash', 'logIndex'] as const
const BLOCK = ['number', 'hash', 'parentHash', 'timestamp', 'baseFeePerGas', 'gasLimit', 'transactions']
const RECEIPT = ['transactionHash', 'blockHash', 'blockNumber', 'status', 'from', 'to', 'gasUsed', 'logs']
const TRANSACTION = ['hash', 'blockHash', 'blockNumber', 'from', 'to', 'input', 'nonce', 'value']

/** Fields that every kind of node has. What is answered has these alone, since the others were not compared. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  eth_getBlockByHash: BLOCK,
  eth_getBlockByNumber: BLOCK,
  eth_getLogs: LOG,
  eth_getTransactionByHash: TRANSACTION,
  eth_getTransactionReceipt: RECEIPT,
}

/**
 * One JSON-RPC of several nodes: each answer is that of two of them. "The newest block" is one that two have, and state,
 * receipts and logs are those up to it: so nodes of which one is a block further do not contradict each other.
 * @param isKnown does this error say that the node has the transaction already?
 */
export function agreedRpc(nodes: Nodes, isKnown: (error: unknown) => boolean): JsonRpc {
  return async ({ method, params = [] }) => {
    if (method === 'eth_sendRawTransaction') return nodes.send({ method, params }, isKnown)
    if (method === 'eth_blockNumber') return hex(await nodes.head())
    const view = needsView(method, params) ? await nodes.head() : 0
    const asked = { method, params: pinned(method, params, view) }
    if (FIGURES.has(method) || params[1] === 'pending') return nodes.backed(asked)
    const shown = (value: unknown): unknown => shownOf(method, value, view)
    const compared: Compared = (outcome) => {
      if ('value' in outcome) return JSON.stringify(shown(outcome.value) ?? null).toLowerCase()
      return isAnswer(outcome.error) ? (revertData(outcome.error) ?? 'refused') : undefined
    }
    return shown(await nodes.agree(asked, compared, view))
  }
}

const hex = (n: number): string => `0x${n.toString(16)}`

const isNewest = (block: unknown): boolean => block === 'latest' || block === undefined

function needsView(method: string, params: readonly unknown[]): boolean {
  if (method === 'eth_getTransactionReceipt' || method === 'eth_getTransactionByHash') return true
  if (method === 'eth_getLogs') return !Object.hasOwn(Object(params[0]), 'blockHash')
  const at = BLOCK_AT[method]
  return at !== undefined && isNewest(params[at])
}

/** The parameters with the number of the block in place of "the newest". */
function pinned(method: string, params: readonly unknown[], view: number): readonly unknown[] {
  const at = BLOCK_AT[method]
  if (at !== undefined && isNewest(params[at])) return withAt(params, at, hex(view))
  if (method !== 'eth_getLogs' || view === 0) return params
  const filter = Object(params[0]) as { fromBlock?: unknown; toBlock?: unknown }
  const block = (given: unknown): unknown => (isNewest(given) ? hex(view) : given)
  return [{ ...filter, fromBlock: block(filter.fromBlock), toBlock: block(filter.toBlock) }]
}

const withAt = (params: readonly unknown[], at: number, value: unknown): readonly unknown[] => [
  ...params.slice(0, at),
  value,
  ...params.slice(at + 1),
]

/** What is compared, and answered: nothing of a block that is newer than the one that two nodes have. */
function shownOf(method: string, value: unknown, view: number): unknown {
  const fields = FIELDS[method]
  if (fields === undefined) return value
  if (Array.isArray(value)) return value.filter((log) => !isNewer(log, view)).map((log) => picked(log, LOG))
  if (typeof value !== 'object' || value === null) return null
  if (method === 'eth_getTransactionReceipt' && isNewer(value, view)) return null
  const shown = picked(value, fields)
  if (Array.isArray(shown.logs)) return { ...shown, logs: shown.logs.map((log) => picked(log, LOG)) }
  return method === 'eth_getTransactionByHash' && isNewer(value, view)
    ? { ...shown, blockHash: null, blockNumber: null }
    : shown
}

function isNewer(value: unknown, view: number): boolean {
  const { blockNumber } = Object(value) as { blockNumber?: unknown }
  return view > 0 && typeof blockNumber === 'string' && Number(blockNumber) > view
}

const picked = (value: unknown, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.map((field) => [field, (Object(value) as Record<string, unknown>)[field] ?? null]),
  )
