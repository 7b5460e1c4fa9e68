import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'

/** State transitions of an anchor. Its root never changes after `collected`; only its transaction does. */
export const anchorMoves = {
  collected: ['submitted', 'mined'], // mined: the ledger holds it already, from before this database's backup
  submitted: ['mined', 'collected'], // back when another transaction used the nonce or ours was reverted
  mined: ['confirmed', 'submitted'], // back when a reorganisation dropped the block
  confirmed: ['submitted'], // back when a reorganisation was deeper than `confirmations`
} as const satisfies Record<string, readonly string[]>

export type AnchorState = keyof typeof anchorMoves
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
