import { createPublicClient, custom, type Hex, keccak256, parseGwei, stringToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startEdr } from './edr.ts'
import { evmChain, type Price } from './evm-chain.ts'
import type { Chain, JsonRpc } from './port.ts'
import { withTimeLimit } from './rpc-timeout.ts'

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
