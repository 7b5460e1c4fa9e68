import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AnchorFile } from '../file-ledger.ts'
import { ANCHOR_OF_SELECTOR, ANCHORED_TOPIC, COUNT_SELECTOR } from '../rpc-ledger.ts'
import { chainId, contract } from './shop.ts'

/** A shop whose anchors a chain holds. */
type Anchored = { file(): AnchorFile }

/** Answers one JSON-RPC call; what it throws becomes the call's error. */
export type AnswerCall = (method: string, params: readonly unknown[]) => unknown

const word = (value: number | string): string =>
  (typeof value === 'number' ? value.toString(16) : value).padStart(64, '0')
const quantity = (value: number): string => `0x${value.toString(16)}`
const blockHash = (number: number): string => `0x${word(0xb10c0000 + number)}`

/** The true answers of a chain that holds this shop's anchors. */
export function honestAnswers(shop: Anchored): AnswerCall {
  const { anchors } = shop.file()
  return (method, params) => {
    if (method === 'eth_chainId') return quantity(chainId)
    if (method === 'eth_call') return callContract(shop, params[0])
    if (method === 'eth_getTransactionReceipt') return receiptOf(shop, params[0])
    if (method === 'eth_blockNumber') return quantity(anchors.at(-1)?.blockNumber ?? 0)
    if (method === 'eth_getLogs') return logsOf(anchors, params[0])
    const made = anchors.find(({ blockNumber }) => quantity(blockNumber) === params[0])
    return made ? { hash: blockHash(made.blockNumber), timestamp: quantity(made.blockTime) } : null
  }
}

function callContract(shop: Anchored, call: unknown): string {
  const { anchors } = shop.file()
  const { to, data } = { to: '', data: '', ...(call as object) }
  if (to !== contract) return '0x'
  if (data === COUNT_SELECTOR) return `0x${word(anchors.length)}`
  const anchor = data.startsWith(ANCHOR_OF_SELECTOR)
    ? anchors[Number.parseInt(data.slice(10), 16)]
    : undefined
  if (anchor === undefined) throw new Error('execution reverted')
  return `0x${anchor.root}${word(anchor.blockTime)}${word(anchor.boxes)}${word(anchor.records)}`
}

type Made = ReturnType<Anchored['file']>['anchors'][number]

const logOf = (made: Made) => ({
  address: contract,
  topics: [ANCHORED_TOPIC, `0x${word(made.index)}`],
  data: `0x${made.root}${word(made.boxes)}${word(made.records)}`,
  transactionHash: made.txHash,
  blockNumber: quantity(made.blockNumber),
  blockHash: blockHash(made.blockNumber),
  removed: false,
})

function logsOf(anchors: readonly Made[], filter: unknown) {
  const { fromBlock, toBlock } = { fromBlock: '', toBlock: '', ...(filter as object) }
  const within = ({ blockNumber }: Made) => blockNumber >= Number(fromBlock) && blockNumber <= Number(toBlock)
  return anchors.filter(within).map(logOf)
}

function receiptOf(shop: Anchored, txHash: unknown) {
  const made = shop.file().anchors.find((anchor) => anchor.txHash === txHash)
  if (made === undefined) return null
  const { blockNumber } = made
  const facts = { transactionHash: made.txHash, status: '0x1', blockHash: blockHash(blockNumber) }
  return { ...facts, blockNumber: quantity(blockNumber), logs: [logOf(made)] }
}

/** A node on a port of its own. `batches` lists the sizes of the batches that it was sent. */
export interface RpcNode extends AsyncDisposable {
  readonly url: string
  readonly batches: number[]
}

/**
 * Serves JSON-RPC batches over HTTP with these answers.
 * @param refusals values of Retry-After with which it refuses as many requests first; undefined: without one
 */
export function rpcNode(
  answer: AnswerCall,
  refusals: readonly (string | undefined)[] = [],
): Promise<RpcNode> {
  const batches: number[] = []
  const refused = refusals.values()
  return serve(async (request, response) => {
    const { done, value } = refused.next()
    if (!done) {
      response.writeHead(429, value === undefined ? {} : { 'retry-after': value }).end()
      return
    }
    const calls = JSON.parse(await textOf(request)) as { id: number; method: string; params: unknown[] }[]
    batches.push(calls.length)
    response.end(JSON.stringify(calls.map((call) => answerOf(call, answer)).reverse()))
  }, batches)
}

function answerOf(
  { id, method, params }: { id: number; method: string; params: unknown[] },
  answer: AnswerCall,
) {
  try {
    return { jsonrpc: '2.0', id, result: answer(method, params) }
  } catch (cause) {
    return { jsonrpc: '2.0', id, error: { code: 3, message: cause instanceof Error ? cause.message : '' } }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

/** An HTTP server on a free port of this machine, with this handler. */
export async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
  batches: number[] = [],
): Promise<RpcNode> {
  const server = createServer((request, response) => {
    void handle(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    batches,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
