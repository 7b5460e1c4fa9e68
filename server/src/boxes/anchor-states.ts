import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { anchorLeaves, anchors } from '#server/db/schema/ledger.ts'

/** One confirmed anchor that covers a box, with the box's leaf in it. */
export type BoxAnchor = {
  anchor: typeof anchors.$inferSelect
  leaf: typeof anchorLeaves.$inferSelect
}

/** Every confirmed anchor in which this box stands, oldest first. */
export async function anchorsOfBox(db: Db, boxID: string): Promise<BoxAnchor[]> {
  return db
    .select({ anchor: anchors, leaf: anchorLeaves })
    .from(anchorLeaves)
    .innerJoin(anchors, eq(anchors.index, anchorLeaves.anchorIndex))
    .where(and(eq(anchorLeaves.boxId, boxID), eq(anchors.state, 'confirmed')))
    .orderBy(asc(anchorLeaves.anchorIndex))
}

/** The first anchor that has the record at `seq`: its transaction is the record's. Source: protocol §4. */
export const anchorOfRecord = (covering: readonly BoxAnchor[], seq: number): BoxAnchor | undefined =>
  covering.find(({ leaf }) => leaf.count >= seq)

/** The anchors that a bundle shows: each at which the count had grown, and last the newest. Source: protocol §5. */
export function shownAnchors(covering: readonly BoxAnchor[]): BoxAnchor[] {
  let count = 0
  return covering.filter(({ leaf }, i) => {
    const shown = leaf.count > count || i === covering.length - 1
    count = leaf.count
    return shown
  })
}
