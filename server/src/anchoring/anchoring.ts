import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Chain } from '#server/chain/port.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'

/** State transitions of an anchor. Its root never changes after `collected`; only its transaction does. */
const anchorMoves = {
  collected: ['submitted', 'mined'], // mined: the ledger holds it already, from before this database's backup
  submitted: ['mined', 'collected'], // back when another transaction used the nonce or ours was reverted
  mined: ['confirmed', 'submitted'], // back when a reorganisation dropped the block
  confirmed: ['submitted'], // back when a reorganisation was deeper than `confirmations`
} as const satisfies Record<string, readonly string[]>

type AnchorState = keyof typeof anchorMoves
export type Anchor = typeof anchors.$inferSelect

/** Columns of an anchor that is in no block. */
export const NO_BLOCK = { blockNumber: null, blockTime: null, confirmedAt: null }

/**
 * Moves one anchor along `anchorMoves`. Returns false and changes nothing when it is no longer in `from`.
 */
export async function moveAnchor<From extends AnchorState>(
  db: Db | Tx,
  index: number,
  from: From,
  to: (typeof anchorMoves)[From][number],
  set: Partial<Pick<Anchor, 'txHash' | 'blockNumber' | 'blockTime' | 'confirmedAt'>> = {},
): Promise<boolean> {
  const moved = await db
    .update(anchors)
    .set({ ...set, state: to as AnchorState })
    .where(and(eq(anchors.index, index), eq(anchors.state, from)))
    .returning({ index: anchors.index })
  return moved.length > 0
}

export type AnchoringDeps = {
  db: Db
  chain: Chain
  now: () => Date
  log: AnchoringLog
  /** Called inside the transaction that writes; rejects when this process is no longer the leader. */
  checkLead: (tx: Tx) => Promise<void>
  /** Contract to use instead of deploying one (CHAIN_CONTRACT). */
  contract?: Hex
  /** Seconds after which the fee of a transaction that is in no block is raised. */
  feeBumpAfterS: number
  /** Boxes that an anchor takes; by default as many as a page of changes can tell. */
  mostBoxes?: number
}

export type AnchoringLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * Seconds since `at` by this process's clock; infinite when `at` is in the future, so that nothing waits for another
 * machine's clock that was ahead.
 */
export function secondsSince(at: Date, now: Date): number {
  const passed = (now.getTime() - at.getTime()) / 1000
  return passed < 0 ? Number.POSITIVE_INFINITY : passed
}

/** Seconds since 1970, as block times are. */
export const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

/** A fault of the ledger that retrying can't fix: anchoring stops until an operator decides. */
export class LedgerFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'LedgerFault'
  }
}

/** The way out of a database that was restored from a backup older than the ledger. */
export const RECOVER = 'After a restored backup: npm run -s ledger:recover (docs/operations.md, Backup).'
