import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1ProviderFactory,
  MineOrdering,
  type ProviderConfig,
} from '@nomicfoundation/edr'
import {
  createPublicClient,
  custom,
  type Hex,
  hexToBytes,
  InvalidInputRpcError,
  keccak256,
  parseGwei,
  RpcRequestError,
  stringToBytes,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { evmChain, type Price } from './evm-chain.ts'
import type { Chain, JsonRpc } from './port.ts'
import { withTimeLimit } from './rpc-calls.ts'

/** Not a secret: the chain runs in this process, nobody else can send to it, and its ether is worthless. */
const account = privateKeyToAccount(keccak256(stringToBytes('befaqt/1/embedded-chain')))

/** Constant, so that signing again gives the same transaction. The base fee starts at 1 gwei and decreases. */
const fees = { type: 'eip1559', maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: 0n } as const
const price = async ({ to }: { to: Hex | null }): Promise<Price> => ({
  ...fees,
  gas: to === null ? 1_500_000n : 200_000n,
})

/** The development chain: an EVM in this process, empty after every start. Every transaction needs a block time. */
export async function embeddedChain(): Promise<Chain> {
  const rpc = withTimeLimit(await startEdr(account.address))
  const client = createPublicClient({ transport: custom({ request: rpc }, { retryCount: 0 }) })

  let before: Promise<unknown> = Promise.resolve()
  const send = (raw: Hex, blockTime?: number): Promise<void> => {
    const sent = before.then(() => mine(rpc, raw, blockTime))
    before = sent.catch(() => undefined)
    return sent
  }
  const close = async (): Promise<void> => undefined
  return evmChain({ kind: 'embedded', confirmations: 1, client, account, rpc, price, send, close })
}

/** No other call may come between the two: the time applies to the next block. */
async function mine(rpc: JsonRpc, raw: Hex, blockTime?: number): Promise<void> {
  if (blockTime === undefined) throw new Error('the embedded chain needs a block time')
  if ((await rpc({ method: 'eth_getTransactionReceipt', params: [keccak256(raw)] })) !== null) return
  await rpc({ method: 'evm_setNextBlockTimestamp', params: [blockTime] })
  await rpc({ method: 'eth_sendRawTransaction', params: [raw] })
}

const EMBEDDED_CHAIN_ID = 31337

const BLOCK_GAS_LIMIT = 30_000_000n

/** Everything that block and transaction hashes depend on is constant, so that a replay gives the same hashes. */
const providerConfig = (funded: Hex): ProviderConfig => ({
  chainId: BigInt(EMBEDDED_CHAIN_ID),
  networkId: BigInt(EMBEDDED_CHAIN_ID),
  hardfork: 'merge', // EVM version paris
  genesisState: [{ address: hexToBytes(funded), balance: 10n ** 30n }],
  network: { genesisBlockGasLimit: BLOCK_GAS_LIMIT, genesisBlockTime: 1_577_836_800n },
  initialBaseFeePerGas: 1_000_000_000n,
  minGasPrice: 0n,
  coinbase: new Uint8Array(20),
  mining: { autoMine: true, blockGasLimit: BLOCK_GAS_LIMIT, memPool: { order: MineOrdering.Fifo } },
  allowBlocksWithSameTimestamp: true,
  allowUnlimitedContractSize: false,
  bailOnCallFailure: true,
  bailOnTransactionFailure: false,
  defaultTransactionGasLimit: BLOCK_GAS_LIMIT,
  observability: {},
  ownedAccounts: [],
  precompileOverrides: [],
})

let context: Promise<EdrContext> | undefined

async function edrContext(): Promise<EdrContext> {
  const created = new EdrContext()
  await created.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory())
  return created
}

/** Starts a new chain in this process: one block per transaction, nothing on disk, `funded` holds all the ether. */
export async function startEdr(funded: Hex): Promise<JsonRpc> {
  context ??= edrContext()
  const provider = await (await context).createProvider(
    L1_CHAIN_TYPE,
    providerConfig(funded),
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new ContractDecoder(),
  )
  let id = 0
  return async ({ method, params }) => {
    const body = { jsonrpc: '2.0', id: ++id, method, params: params ?? [] }
    const { data } = await provider.handleRequest(JSON.stringify(body))
    const answer: unknown = typeof data === 'string' ? JSON.parse(data) : data
    if (isRpcError(answer)) throw rpcError(answer.error, body)
    return (answer as { result: unknown }).result
  }
}

type RpcErrorBody = { code: number; message: string; data?: unknown }

const isRpcError = (answer: unknown): answer is { error: RpcErrorBody } =>
  typeof answer === 'object' && answer !== null && 'error' in answer

/** EDR wraps the bytes of a revert in an object; other nodes return them bare, and clients expect that. */
function rpcError({ code, message, data }: RpcErrorBody, body: { method: string }): Error {
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  const error = new RpcRequestError({ body, url: 'edr', error: { code, message, data: inner } })
  // viem recognizes contract reverts by code 3; EDR uses -32000 for them and for rejected transactions.
  return typeof inner === 'string' ? Object.assign(error, { code: 3 }) : new InvalidInputRpcError(error)
}
