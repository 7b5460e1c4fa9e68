import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'

/** What can become of an anchor. Its root never changes from `collected` on; only its way to the chain does. */
export const anchorMoves = {
  collected: ['submitted', 'mined'], // mined: the chain had it already, from before our memory
  submitted: ['mined', 'collected'], // back when another transaction took the nonce or ours was reverted
  mined: ['confirmed', 'submitted'], // back when a reorganisation took the block away
  confirmed: ['submitted'], // back when one went deeper than we wait for
} as const satisfies Record<string, readonly string[]>

export type AnchorState = keyof typeof anchorMoves
export type Anchor = typeof anchors.$inferSelect

/** Block of an anchor that is in none. */
export const NO_BLOCK = { blockNumber: null, blockTime: null, confirmedAt: null }

/**
 * Moves one anchor along `anchorMoves`. Answers false, and changes nothing, when it is no longer in `from`: somebody
 * else moved it.
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
