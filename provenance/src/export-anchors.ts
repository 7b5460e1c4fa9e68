import { isPlainObject } from './canonical.ts'
import type { AnchorFile, ExportedAnchor } from './file-ledger.ts'
import { AT_ONCE, batched, type Fetch, jsonRpc, type Send } from './json-rpc.ts'
import { LedgerError } from './ledger.ts'
import { ANCHORED_TOPIC, numberFromHex, type RpcLedgerOptions, rpcLedger } from './rpc-ledger.ts'

/** Blocks in one `eth_getLogs`; public nodes refuse more. With an anchor in each, its answer has 7 MB: one a request. */
const WINDOW_BLOCKS = 10_000

export interface ExportOptions extends RpcLedgerOptions {
  /** No anchor is older than this block; the one of the contract's deployment saves time. */
  readonly fromBlock?: number
}

/**
 * Copies every anchor of a contract, to check boxes offline later. Needs `eth_blockNumber` and `eth_getLogs` beside
 * what `rpcLedger` needs. Events only tell which transactions to look at: root, time and block are read from the
 * contract and the receipts, and must agree. @throws LedgerError when they don't, or the node fails
 */
export async function exportAnchors(url: string, fetch: Fetch, options: ExportOptions): Promise<AnchorFile> {
  const ledger = rpcLedger(url, fetch, options)
  const identity = await ledger.identity()
  const count = await ledger.count()
  const txHashes = await transactionsOf(jsonRpc(url, fetch, options), identity.contract, options)
  const kept = await ledger.anchorsOf(Array.from({ length: count }, (_, index) => index))
  const found = (await ledger.eventsOf(txHashes)).flatMap((events, i) =>
    events.map((event): ExportedAnchor => ({ ...event, txHash: txHashes[i] ?? '' })),
  )
  const byIndex = new Map(found.map((anchor) => [anchor.index, anchor]))
  const anchors = kept.map(({ root, time }, index) => {
    const anchor = byIndex.get(index)
    if (anchor === undefined) throw new LedgerError(`no transaction was found for anchor ${index}`)
    if (anchor.root !== root || anchor.blockTime !== time)
      throw new LedgerError(`contract and transaction disagree on anchor ${index}`)
    return anchor
  })
  return { ...identity, count, anchors }
}

/** The transactions in which the contract emitted `Anchored`, oldest first. */
async function transactionsOf(
  send: Send,
  address: string,
  { fromBlock = 0 }: ExportOptions,
): Promise<string[]> {
  const [newest] = await send([{ method: 'eth_blockNumber', params: [] }])
  const windows = Math.ceil((numberFromHex(newest) + 1 - fromBlock) / WINDOW_BLOCKS)
  const calls = Array.from({ length: Math.max(0, windows) }, (_, i) => {
    const first = fromBlock + i * WINDOW_BLOCKS
    const last = Math.min(first + WINDOW_BLOCKS - 1, numberFromHex(newest))
    const range = { fromBlock: `0x${first.toString(16)}`, toBlock: `0x${last.toString(16)}` }
    return { method: 'eth_getLogs', params: [{ address, topics: [ANCHORED_TOPIC], ...range }] }
  })
  const hashes: string[] = []
  for (const some of batched(calls, AT_ONCE)) {
    const answers = await Promise.all(some.map((call) => send([call])))
    hashes.push(...answers.flat().flatMap(hashesIn))
  }
  return [...new Set(hashes)]
}

function hashesIn(logs: unknown): string[] {
  if (!Array.isArray(logs)) throw new LedgerError('the node gave no valid list of events')
  return logs.map((log: unknown) => {
    const hash = isPlainObject(log) ? log.transactionHash : undefined
    if (typeof hash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(hash))
      throw new LedgerError('the node gave an event without transaction')
    return hash.toLowerCase()
  })
}
