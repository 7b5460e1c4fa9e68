import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1ProviderFactory,
  MineOrdering,
  type ProviderConfig,
} from '@nomicfoundation/edr'
import { type Hex, hexToBytes, InvalidInputRpcError, RpcRequestError } from 'viem'
import type { JsonRpc } from './port.ts'

export const EMBEDDED_CHAIN_ID = 31337

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
