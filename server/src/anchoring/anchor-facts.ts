import type { AnchorFacts } from '@befaqt/provenance/bundle-parts'
import { blockTimeText } from '@befaqt/provenance/timestamps'
import { desc, eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'

const { index, root, txHash, blockNumber, blockTime } = anchors

/** The columns of an anchor that documents tell. */
export const anchorColumns = { index, root, txHash, blockNumber, blockTime }
export type AnchorRow = Pick<typeof anchors.$inferSelect, keyof typeof anchorColumns>

/** What documents say of an anchor, for the API's document. Source: protocol §5. */
export const anchorFactsSchema = {
  index: z.int(),
  root: z.string(),
  txHash: z.string(),
  blockNumber: z.int(),
  time: z.string(),
}

/** A box's state, for the API's document. Source: protocol §4. */
export const BoxState = z.strictObject({
  box: z.string(),
  count: z.int(),
  head: z.string(),
  sealed: z.boolean(),
})

/** An anchor as documents name it. */
export const factsOf = ({ index, root, txHash, blockNumber, blockTime }: AnchorRow): AnchorFacts => ({
  index,
  root,
  txHash: txHash ?? '',
  blockNumber: blockNumber ?? 0,
  time: blockTimeText(blockTime ?? 0),
})

/** The newest confirmed anchor; undefined: there is none. */
export async function newestAnchor(db: Db | Tx): Promise<AnchorRow | undefined> {
  const [newest] = await db
    .select(anchorColumns)
    .from(anchors)
    .where(eq(anchors.state, 'confirmed'))
    .orderBy(desc(index))
    .limit(1)
  return newest
}
