import type { Site } from '@befaqt/domain/api/site-api'
import type { Hex } from 'viem'
import type { NodeState } from './nodes.ts'

/** A signed transaction. Sending the same `raw` again has no further effect. */
export type SignedTransaction = { readonly hash: Hex; readonly raw: Hex; readonly nonce: number }

/** What to sign: `to` null creates a contract. `replaces` is a raw transaction with the same nonce; the fee must be higher. */
export type TransactionRequest = { to: Hex | null; data: Hex; nonce: number; replaces?: Hex }

/** A transaction in a block. `ok` is false when it was reverted. Time in seconds since 1970. */
export type Receipt = { blockNumber: number; blockTime: number; blockHash: Hex; ok: boolean }

/** One anchor as the contract stores it; `root` is 64 hex characters without 0x. Source: protocol §4. */
export type LedgerAnchor = { root: string; time: number; boxes: number; records: number }

/** One JSON-RPC call. Rejects when it fails or is rejected, and for a chain also after `CALL_TIMEOUT_MS`. */
export type JsonRpc = (request: { method: string; params?: readonly unknown[] }) => Promise<unknown>

/** Port to a chain. Every method rejects with ChainUnreachable when the chain does not respond. */
export interface Chain {
  /** Embedded: in this process, empty after a start, every block ours. */
  readonly kind: 'embedded' | 'network'
  /** The account that signs: deployer, admin and anchorer. */
  readonly account: Hex
  /** Direct JSON-RPC, for the read-only proxy. */
  readonly rpc: JsonRpc
  /** Blocks, including its own, after which a transaction counts as final. */
  readonly confirmations: number
  /** Where several nodes are asked: how each is doing. */
  readonly nodes?: () => readonly NodeState[]
  chainId(): Promise<number>
  blockNumber(): Promise<number>
  /** Transactions of our account in blocks; `pending` includes those in the mempool. */
  nonce(of: 'latest' | 'pending'): Promise<number>
  hasCode(address: Hex): Promise<boolean>
  /** @throws TransactionRejected when it would be reverted */
  sign(wanted: TransactionRequest): Promise<SignedTransaction>
  /**
   * Sends a signed transaction; no effect when the chain has it already.
   * @param blockTime time of its block on the embedded chain, in seconds; ignored by others
   * @throws TransactionRejected (nonce used, fee too low, out of funds)
   */
  send(raw: Hex, blockTime?: number): Promise<void>
  /** The block of a transaction; undefined while it is in none. */
  receipt(hash: Hex): Promise<Receipt | undefined>
  /** `count()` of the contract. */
  anchorCount(contract: Hex): Promise<number>
  /** The contract's anchor `index`, or undefined when it has none. */
  anchorOf(contract: Hex, index: number): Promise<LedgerAnchor | undefined>
  /** Transaction that emitted `Anchored` for this index, or undefined. */
  findAnchorTransaction(contract: Hex, index: number): Promise<Hex | undefined>
  close(): Promise<void>
}

/** The chain did not respond. Retry later; the request itself may be valid. */
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

/** Where the ledger can be read by anybody. */
export type LedgerLocation = {
  /** `contract` is null until it is deployed. */
  locate(): Promise<Site['chain']>
}
