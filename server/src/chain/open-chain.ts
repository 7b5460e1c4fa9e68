import {
  createPublicClient,
  custom,
  Eip1559FeesNotSupportedError,
  type Hex,
  http,
  type PublicClient,
  parseTransaction,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Config } from '#server/config/config.ts'
import { agreedRpc } from './agreed-rpc.ts'
import { embeddedChain } from './embedded.ts'
import { evmChain, type Price } from './evm-chain.ts'
import { Nodes } from './nodes.ts'
import type { Chain, JsonRpc, TransactionRequest } from './port.ts'
import { CALL_TIMEOUT_MS } from './rpc-calls.ts'

/** Blocks until an anchor on a public network counts as final; a deeper reorganisation is handled too. */
const NETWORK_CONFIRMATIONS = 3

/** Opens the chain that the settings name, or an embedded one for development. */
export const openChain = async (config: Config): Promise<Chain> =>
  config.CHAIN_RPC_URL === undefined
    ? embeddedChain()
    : networkChain(config.CHAIN_RPC_URL, config.CHAIN_PRIVATE_KEY as Hex, NETWORK_CONFIRMATIONS)

/** Nodes accept a replacement whose fee is 10 % higher; a little more is accepted everywhere. */
const FEE_BUMP_PERCENT = 125n

/**
 * Any EVM network, signing with `privateKey`. Opens no connection by itself.
 * @param url of a node, or of several, of which two have to say the same
 * @param confirmations blocks until a transaction counts as final; a deeper reorganisation is handled too
 * @param timeoutMs of one call
 */
export function networkChain(
  url: string | readonly string[],
  privateKey: Hex,
  confirmations: number,
  timeoutMs = CALL_TIMEOUT_MS,
): Chain {
  const account = privateKeyToAccount(privateKey)
  const urls = typeof url === 'string' ? [url] : url
  const clients = urls.map((each) => nodeAt(each, timeoutMs))
  const [first] = clients
  if (first === undefined) throw new Error('a chain needs a node')
  const several = (): Nodes =>
    new Nodes(clients.map((each, i) => ({ host: new URL(urls[i] ?? '').host, rpc: rpcOf(each) })))
  const nodes = several()
  const isOne = clients.length === 1
  const client = isOne ? first : createPublicClient({ transport: overRpc(agreedRpc(nodes, isKnown)) })
  const send = async (serializedTransaction: Hex): Promise<void> => {
    await client.sendRawTransaction({ serializedTransaction }).catch(unlessKnown)
  }
  const price = (wanted: TransactionRequest): Promise<Price> => currentPrice(client, account.address, wanted)
  return evmChain({
    kind: 'network',
    confirmations,
    client,
    account,
    rpc: isOne ? rpcOf(first) : agreedRpc(several(), isKnown), // what strangers ask says nothing of the nodes
    price,
    send,
    ...(!isOne && { nodes: () => nodes.states() }),
    close: async () => undefined,
  })
}

const overRpc = (request: JsonRpc) => custom({ request }, { retryCount: 0 })

const nodeAt = (url: string, timeout: number): PublicClient =>
  createPublicClient({
    transport: http(url, { retryCount: 0, timeout, fetchFn: fetchWithin(timeout) }),
  })

/** viem's own timeout ends when the response headers arrive; this one includes the body. */
const fetchWithin =
  (timeoutMs: number): typeof fetch =>
  (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) })

/** viem types each method by its name; the RPC proxy checks names and parameters itself. */
const rpcOf =
  (client: PublicClient): JsonRpc =>
  (request) =>
    client.request<{ Method: string; Parameters: readonly unknown[]; ReturnType: unknown }>({
      method: request.method,
      params: request.params ?? [],
    })

/** Messages of geth, erigon, nethermind, besu, reth and EDR for a transaction that they already have. */
const KNOWN = /already known|already imported|AlreadyKnown|known transaction/i

const isKnown = (error: unknown): boolean => error instanceof Error && KNOWN.test(error.message)

function unlessKnown(error: unknown): void {
  if (!isKnown(error)) throw error
}

async function currentPrice(
  client: PublicClient,
  account: Hex,
  { to, data, replaces: over }: TransactionRequest,
): Promise<Price> {
  const fees = await currentFees(client)
  if (over !== undefined) return bumpFee(fees, over)
  const estimated = await client.estimateGas({
    account,
    data,
    blockTag: 'latest',
    ...(to === null ? {} : { to }),
  })
  return { gas: (estimated * 130n) / 100n, ...fees }
}

type Fees =
  | { type: 'eip1559'; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  | { type: 'legacy'; gasPrice: bigint }

async function currentFees(client: PublicClient): Promise<Fees> {
  try {
    return {
      type: 'eip1559',
      ...(await client.estimateFeesPerGas<undefined, 'eip1559'>({ chain: null, type: 'eip1559' })),
    }
  } catch (error) {
    if (!(error instanceof Eip1559FeesNotSupportedError)) throw error
    return { type: 'legacy', gasPrice: await client.getGasPrice() }
  }
}

/**
 * The current fees, or the raised fees of the replaced transaction, whichever are higher. The gas limit is that of the
 * replaced one, since an estimate would count the pending transaction as executed.
 */
export function bumpFee(fees: Fees, over: Hex): Price {
  const old = parseTransaction(over)
  const more = (fee: bigint | undefined, now: bigint): bigint => {
    const wanted = ((fee ?? 0n) * FEE_BUMP_PERCENT) / 100n + 1n
    return wanted > now ? wanted : now
  }
  const gas = old.gas ?? 0n
  if (fees.type === 'legacy') return { gas, type: 'legacy', gasPrice: more(old.gasPrice, fees.gasPrice) }
  return {
    gas,
    type: 'eip1559',
    maxFeePerGas: more(old.maxFeePerGas, fees.maxFeePerGas),
    maxPriorityFeePerGas: more(old.maxPriorityFeePerGas, fees.maxPriorityFeePerGas),
  }
}
