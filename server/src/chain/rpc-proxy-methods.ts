import { z } from 'zod'
import type { JsonRpc } from './port.ts'

/** Gas that one call may burn: reading an anchor takes 8,000. */
const CALL_GAS = 1_000_000
const CALL_DATA_BYTES = 1_024
const LOG_BLOCKS = 10_000

const hexOf = (bytes: number) =>
  z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), `must be ${bytes} bytes as hex`)
const hash = hexOf(32)
const address = hexOf(20)
const data = z
  .string()
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'must be bytes as hex')
  .max(2 + 2 * CALL_DATA_BYTES)
const quantity = z.string().regex(/^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,11})$/, 'must be a quantity as hex')
const block = z.union([z.enum(['latest', 'earliest', 'safe', 'finalized']), quantity])

const Call = z
  .object({ to: address, data: data.optional(), input: data.optional() })
  .transform(({ to, data, input }) => ({
    to,
    data: input ?? data ?? '0x',
    gas: `0x${CALL_GAS.toString(16)}`,
  }))

const topic = z.union([z.null(), hash, z.array(hash).min(1).max(20)])
const filtered = {
  address: z.union([address, z.array(address).min(1).max(10)]).optional(),
  topics: z.array(topic).max(4).optional(),
}
const Filter = z.union([
  z.strictObject({ ...filtered, blockHash: hash }),
  z.strictObject({ ...filtered, fromBlock: block.default('latest'), toBlock: block.default('latest') }),
])

const schemas = {
  eth_chainId: z.tuple([]),
  eth_blockNumber: z.tuple([]),
  eth_call: z.union([
    z.tuple([Call, block]),
    z.tuple([Call]).transform(([call]) => [call, 'latest'] as const),
  ]),
  eth_getLogs: z.tuple([Filter]),
  eth_getBlockByNumber: z.tuple([block, z.boolean()]),
  eth_getTransactionByHash: z.tuple([hash]),
  eth_getTransactionReceipt: z.tuple([hash]),
} as const

export type ProxyMethod = keyof typeof schemas

/** Own properties only, so not `constructor`. */
export const isProxyMethod = (method: string): method is ProxyMethod => Object.hasOwn(schemas, method)

/** The parameters to forward, rebuilt from the parsed values; or an error message. */
export function parseParams(
  method: ProxyMethod,
  params: unknown,
): { params: readonly unknown[] } | { wrong: string } {
  const parsed = schemas[method].safeParse(params ?? [])
  if (parsed.success) return { params: parsed.data }
  const [issue] = parsed.error.issues
  return {
    wrong: `params${(issue?.path ?? []).map((part) => `[${String(part)}]`).join('')}: ${issue?.message}`,
  }
}

/** The bounded filter, or why it is rejected. */
type BoundedLogs = { params: readonly unknown[] } | { tooLong: string } | { wrong: string }

/**
 * Bounds the block range: `toBlock` is at most the newest block, since some nodes iterate over every number up to it,
 * and the range has at most `LOG_BLOCKS` blocks. Block tags other than 'earliest' mean the newest block.
 */
export async function boundLogs(rpc: JsonRpc, params: readonly unknown[]): Promise<BoundedLogs> {
  const filter = Filter.parse(params[0])
  if ('blockHash' in filter) return { params }
  const newest = Number(await rpc({ method: 'eth_blockNumber' }))
  const blockNumberOf = (tag: string): number =>
    tag.startsWith('0x') ? Number(tag) : tag === 'earliest' ? 0 : newest
  const from = blockNumberOf(filter.fromBlock)
  if (from > newest) return { wrong: `params[0].fromBlock: the newest block is ${newest}` }
  const beyond = blockNumberOf(filter.toBlock) > newest
  const blocks = (beyond ? newest : blockNumberOf(filter.toBlock)) - from + 1
  if (blocks > LOG_BLOCKS) return { tooLong: `${blocks} blocks are more than ${LOG_BLOCKS}` }
  return { params: [beyond ? { ...filter, toBlock: `0x${newest.toString(16)}` } : filter] }
}
