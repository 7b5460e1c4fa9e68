import { and, asc, eq, gt } from 'drizzle-orm'
import { anchorColumns as anchor } from '#server/anchoring/anchor-facts.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { anchorLeaves, anchors } from '#server/db/schema/ledger.ts'

const { count, head, sealed, path, before } = anchorLeaves
const leaf = { count, head, sealed }

/** One confirmed anchor at which a box has grown, with the box's leaf in it. */
export type BoxAnchor = Awaited<ReturnType<typeof anchorsOfBox>>[number]

/** The same with the leaf's way up to the root, and the proof of the state before. */
export type ProvenAnchor = Awaited<ReturnType<typeof provenAnchorsOfBox>>[number]

/** Every confirmed anchor at which this box has grown, oldest first. */
export const anchorsOfBox = (db: Db, boxID: string) =>
  db
    .select({ anchor, leaf })
    .from(anchorLeaves)
    .innerJoin(anchors, eq(anchors.index, anchorLeaves.anchorIndex))
    .where(isOf(boxID))
    .orderBy(asc(anchorLeaves.anchorIndex))

/** `anchorsOfBox` with the proofs, which are as much text as a record each; only those after the index `after`. */
export const provenAnchorsOfBox = (db: Db | Tx, boxID: string, after: number) =>
  db
    .select({ anchor, leaf: { ...leaf, path, before } })
    .from(anchorLeaves)
    .innerJoin(anchors, eq(anchors.index, anchorLeaves.anchorIndex))
    .where(and(isOf(boxID), gt(anchorLeaves.anchorIndex, after)))
    .orderBy(asc(anchorLeaves.anchorIndex))

const isOf = (boxID: string) => and(eq(anchorLeaves.boxId, boxID), eq(anchors.state, 'confirmed'))

/** The first anchor that has the record at `seq`: its transaction is the record's. Source: protocol §4. */
export const anchorOfRecord = (covering: readonly BoxAnchor[], seq: number): BoxAnchor | undefined =>
  covering.find(({ leaf }) => leaf.count >= seq)
