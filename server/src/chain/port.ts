import type { Hex } from 'viem'

/** A transaction that was signed. Sending the same `raw` twice does what sending it once does. */
export type SignedTransaction = { readonly hash: Hex; readonly raw: Hex; readonly nonce: number }

/** What to sign: `to` null creates a contract. `over` is a transaction of the same nonce that must be outbid. */
export type TransactionRequest = { to: Hex | null; data: Hex; nonce: number; replaces?: Hex }

/** A transaction that is in a block. `ok` is false when it was reverted. Time in seconds since 1970. */
export type Receipt = { blockNumber: number; blockTime: number; blockHash: Hex; ok: boolean }

/** One anchor as the contract keeps it; `root` is 64 hex characters without 0x. Source: protocol §4. */
export type LedgerAnchor = { root: string; time: number; boxes: number; records: number }

/** One JSON-RPC call. Rejects when it can't be made or is refused; those of a chain, also after `CALL_TIMEOUT_MS`. */
export type JsonRpc = (request: { method: string; params?: readonly unknown[] }) => Promise<unknown>

/** What we need of a chain. Every method rejects with ChainUnreachable when the chain can't be asked. */
export interface Chain {
  /** Embedded: in this process, empty after a start, every block ours. */
  readonly kind: 'embedded' | 'network'
  /** The account that signs: deployer, admin and anchorer. */
  readonly account: Hex
  /** The chain as it is, for the read-only door. */
  readonly rpc: JsonRpc
  /** Blocks on top of and including its own that make a transaction final for us. */
  readonly confirmations: number
  chainId(): Promise<number>
  blockNumber(): Promise<number>
  /** Transactions of our account in blocks; `pending` counts those waiting too. */
  nonce(of: 'latest' | 'pending'): Promise<number>
  hasCode(address: Hex): Promise<boolean>
  /** @throws TransactionRejected when the chain says that it would be reverted */
  sign(wanted: TransactionRequest): Promise<SignedTransaction>
  /**
   * Hands a signed transaction to the chain; harmless when it has it already.
   * @param blockTime the embedded chain gives its block this time, in seconds; others don't look at it
   * @throws TransactionRejected when the chain does not take it (nonce used, fee too low, out of funds)
   */
  send(raw: Hex, blockTime?: number): Promise<void>
  /** Where the transaction is, or undefined while it is in no block. */
  receipt(hash: Hex): Promise<Receipt | undefined>
  /** `count()` of the contract. */
  anchorCount(contract: Hex): Promise<number>
  /** The contract's anchor `index`, or undefined when it has none. */
  anchorOf(contract: Hex, index: number): Promise<LedgerAnchor | undefined>
  /** Transaction that emitted `Anchored` for this index, or undefined. */
  findAnchorTransaction(contract: Hex, index: number): Promise<Hex | undefined>
  close(): Promise<void>
}

/** The chain can't be asked. Wait and try again; nothing is wrong with what was wanted. */
export class ChainUnreachable extends Error {
  constructor(cause: unknown) {
    super('The chain cannot be reached.', { cause })
    this.name = 'ChainUnreachable'
  }
}

/** The chain rejected this transaction. */
export class TransactionRejected extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'TransactionRejected'
  }
}
