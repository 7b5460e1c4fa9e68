import { ShopError } from '@befaqt/domain/errors'
import {
  anchorLeaf,
  type BundleAnchor,
  blockTimeText,
  buildTree,
  type MerkleTree,
  type ProofBundle,
  toHex,
} from '@befaqt/provenance'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { anchorLeaves } from '#server/db/schema/ledger.ts'
import type { Deps } from '#server/deps.ts'
import { FreshCache } from '#server/http/fresh-cache.ts'
import { anchorsOfBox, type BoxAnchor, shownAnchors } from './anchor-states.ts'
import { readBox, shownRecord } from './read-records.ts'

/** Only boxes that did not grow lately need a tree, and only the newest one; the others have their path kept. */
const KEPT_TREES = 4

export type TreeCache = FreshCache<MerkleTree>
export const treeCache = (): TreeCache => new FreshCache(KEPT_TREES)

/**
 * All that a stranger needs to check one box.
 * @throws ShopError `box.not_found`
 */
export async function proofBundle(deps: Deps, trees: TreeCache, boxID: string): Promise<ProofBundle> {
  const { rows } = await readBox(deps.db, boxID)
  const covering = await anchorsOfBox(deps.db, boxID)
  const { chainId, contract, rpc } = await deps.ledger.where()
  return {
    v: 1,
    box: boxID,
    records: rows.map(shownRecord),
    ledger: { chainId, contract: contract ?? `0x${'0'.repeat(40)}`, rpc },
    anchors: await Promise.all(shownAnchors(covering).map((shown) => bundleAnchor(deps.db, trees, shown))),
  }
}

async function bundleAnchor(db: Db, trees: TreeCache, { anchor, leaf }: BoxAnchor): Promise<BundleAnchor> {
  const { boxId: box, count, head, sealed, leafIndex } = leaf
  const readPath = async (): Promise<string[]> => {
    const tree = await trees.get(`${anchor.index} ${anchor.root}`, () => readTree(db, anchor))
    return tree.path(leafIndex).map(toHex)
  }
  return {
    index: anchor.index,
    root: anchor.root,
    txHash: anchor.txHash ?? '',
    blockNumber: anchor.blockNumber ?? 0,
    time: blockTimeText(anchor.blockTime ?? 0),
    leaf: { box, count, head, sealed },
    leafIndex,
    treeSize: anchor.boxes,
    path: leaf.path === null ? await readPath() : (leaf.path.match(/.{64}/g) ?? []),
  }
}

/** The whole tree, which is kept until two newer anchors are confirmed. */
async function readTree(db: Db, { index, boxes }: BoxAnchor['anchor']): Promise<MerkleTree> {
  const leaves = await db
    .select()
    .from(anchorLeaves)
    .where(eq(anchorLeaves.anchorIndex, index))
    .orderBy(asc(anchorLeaves.leafIndex))
  if (leaves.length !== boxes)
    throw new ShopError('unavailable', 'A newer anchor has just landed. Please try again.')
  return buildTree(
    leaves.map(({ boxId: box, count, head, sealed }) => anchorLeaf({ box, count, head, sealed })),
  )
}
