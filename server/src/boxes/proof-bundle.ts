import { ShopError } from '@befaqt/domain/errors'
import { type BoxState, type BundleAnchor, blockTimeText, type MerkleTree, toHex } from '@befaqt/provenance'
import { sql } from 'drizzle-orm'
import { treeOf } from '#server/anchoring/tree-of.ts'
import { type Db, rows } from '#server/db/client.ts'
import type { Deps } from '#server/deps.ts'
import { FreshCache } from '#server/http/fresh-cache.ts'
import { type ProvenAnchor, provenAnchorsOfBox, shownAnchors } from './anchor-states.ts'
import { readBox, shownRecord } from './read-records.ts'

/** Only boxes that did not grow lately need a tree, and only the newest one; the others have their path kept. */
const KEPT_TREES = 2

export type TreeCache = FreshCache<MerkleTree>
export const treeCache = (): TreeCache => new FreshCache(KEPT_TREES)

/**
 * All that a stranger needs to check one box: a `ProofBundle` as JSON text. Records stand in it as they are kept,
 * which is their canonical text. Source: protocol §5.
 * @throws ShopError `box.not_found`, `unavailable` when a newer anchor landed just now
 */
export async function proofBundle(
  { db, ledger }: Pick<Deps, 'db' | 'ledger'>,
  trees: TreeCache,
  boxID: string,
): Promise<string> {
  const { rows } = await readBox(db, boxID)
  const covering = await provenAnchorsOfBox(db, boxID)
  const { chainId, contract, rpc } = await ledger.where()
  const place = { chainId, contract: contract ?? `0x${'0'.repeat(40)}`, rpc }
  const shown = await Promise.all(shownAnchors(covering).map((one) => bundleAnchor(db, trees, boxID, one)))
  const records = rows.map(shownRecord).join(',')
  const [box, where, anchors] = [boxID, place, shown].map((part) => JSON.stringify(part))
  return `{"v":1,"box":${box},"records":[${records}],"ledger":${where},"anchors":${anchors}}`
}

async function bundleAnchor(
  db: Db,
  trees: TreeCache,
  box: string,
  { anchor, leaf }: ProvenAnchor,
): Promise<BundleAnchor> {
  const { count, head, sealed, leafIndex } = leaf
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
async function readTree(db: Db, { index, boxes }: ProvenAnchor['anchor']): Promise<MerkleTree> {
  const leaves = await rows<Pick<BoxState, keyof BoxState>>(
    db,
    sql`select box_id as box, count, head, sealed from anchor_leaves where anchor_index = ${index} order by leaf_index`,
  )
  if (leaves.length !== boxes)
    throw new ShopError('unavailable', 'A newer anchor has just landed. Please try again.')
  return treeOf(leaves)
}
