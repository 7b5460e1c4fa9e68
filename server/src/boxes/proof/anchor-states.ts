import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { anchorLeaves, anchors } from '#server/db/schema/ledger.ts'

const { index, root, boxes, txHash, blockNumber, blockTime } = anchors
const { leafIndex, count, head, sealed, path } = anchorLeaves
const anchor = { index, root, boxes, txHash, blockNumber, blockTime }
const leaf = { leafIndex, count, head, sealed }

/** One confirmed anchor that covers a box, with the box's leaf in it. */
export type BoxAnchor = Awaited<ReturnType<typeof anchorsOfBox>>[number]

/** The same with the leaf's way up to the root; null: not kept, the whole tree of this anchor is. */
export type ProvenAnchor = Awaited<ReturnType<typeof provenAnchorsOfBox>>[number]

/** Every confirmed anchor in which this box stands, oldest first. */
export const anchorsOfBox = (db: Db, boxID: string) =>
  db
    .select({ anchor, leaf })
    .from(anchorLeaves)
    .innerJoin(anchors, eq(index, anchorLeaves.anchorIndex))
    .where(isIn(boxID))
    .orderBy(asc(anchorLeaves.anchorIndex))

/** `anchorsOfBox` with the paths, which are as much text as a record each. */
export const provenAnchorsOfBox = (db: Db, boxID: string) =>
  db
    .select({ anchor, leaf: { ...leaf, path } })
    .from(anchorLeaves)
    .innerJoin(anchors, eq(index, anchorLeaves.anchorIndex))
    .where(isIn(boxID))
    .orderBy(asc(anchorLeaves.anchorIndex))

const isIn = (boxID: string) => and(eq(anchorLeaves.boxId, boxID), eq(anchors.state, 'confirmed'))

/** The first anchor that has the record at `seq`: its transaction is the record's. Source: protocol §4. */
export const anchorOfRecord = (covering: readonly BoxAnchor[], seq: number): BoxAnchor | undefined =>
  covering.find(({ leaf }) => leaf.count >= seq)

/** The anchors that a bundle shows: each at which the count had grown, and last the newest. Source: protocol §5. */
export function shownAnchors<Shown extends BoxAnchor>(covering: readonly Shown[]): Shown[] {
  let count = 0
  return covering.filter(({ leaf }, i) => {
    const shown = leaf.count > count || i === covering.length - 1
    count = leaf.count
    return shown
  })
}
