import { ShopError } from '@befaqt/domain/errors'
import { type BoxState, type BundleAnchor, blockTimeText, type MerkleTree, toHex } from '@befaqt/provenance'
import { sql } from 'drizzle-orm'
import { treeOf } from '#server/anchoring/tree-of.ts'
import { readBox, shownRecord } from '#server/boxes/records/read-records.ts'
import type { LedgerLocation } from '#server/chain/ledger-location.ts'
import { type Db, rows } from '#server/db/client.ts'
import { InvalidatingCache } from '#server/http/caching/invalidating-cache.ts'
import { type ProvenAnchor, provenAnchorsOfBox, shownAnchors } from './anchor-states.ts'

/** Only boxes that did not grow lately need a tree, and only the newest one; the others have their path kept. */
const CACHED_TREES = 2

/** What a proof is made of. */
export type ProofDeps = { db: Db; ledger: LedgerLocation }

export type TreeCache = InvalidatingCache<MerkleTree>
export const treeCache = (): TreeCache => new InvalidatingCache(CACHED_TREES)

/**
 * All that a stranger needs to check one box: a `ProofBundle` as JSON text. Records stand in it as they are kept,
 * which is their canonical text. Source: protocol §5.
 * @throws ShopError `box.not_found`, `unavailable` when newer anchors landed while it was made, twice
 */
export async function proofBundle(deps: ProofDeps, trees: TreeCache, boxID: string): Promise<string> {
  const made = (await makeBundle(deps, trees, boxID)) ?? (await makeBundle(deps, trees, boxID))
  if (made === undefined)
    throw new ShopError('unavailable', 'A newer anchor has just landed. Please try again.')
  return made
}

/** Records and anchors of one moment: anchors that are newer than the records would say that some were left out. */
const ONE_MOMENT = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const

/** Answers undefined when the tree of the newest anchor that it saw is no longer kept. */
async function makeBundle(
  { db, ledger }: ProofDeps,
  trees: TreeCache,
  boxID: string,
): Promise<string | undefined> {
  const { chainId, contract, rpc } = await ledger.locate()
  const { rows, covering } = await db.transaction(async (tx) => {
    const { rows } = await readBox(tx, boxID)
    return { rows, covering: await provenAnchorsOfBox(tx, boxID) }
  }, ONE_MOMENT)
  const place = { chainId, contract: contract ?? `0x${'0'.repeat(40)}`, rpc }
  const shown: BundleAnchor[] = []
  for (const proven of shownAnchors(covering)) {
    const { path: kept } = proven.leaf
    const path = kept === null ? await pathInTree(db, trees, proven) : (kept.match(/.{64}/g) ?? [])
    if (path === undefined) return undefined
    shown.push(bundleAnchor(boxID, proven, path))
  }
  const records = rows.map(shownRecord).join(',')
  const [box, where, anchors] = [boxID, place, shown].map((part) => JSON.stringify(part))
  return `{"v":1,"box":${box},"records":[${records}],"ledger":${where},"anchors":${anchors}}`
}

function bundleAnchor(box: string, { anchor, leaf }: ProvenAnchor, path: string[]): BundleAnchor {
  const { count, head, sealed, leafIndex } = leaf
  return {
    index: anchor.index,
    root: anchor.root,
    txHash: anchor.txHash ?? '',
    blockNumber: anchor.blockNumber ?? 0,
    time: blockTimeText(anchor.blockTime ?? 0),
    leaf: { box, count, head, sealed },
    leafIndex,
    treeSize: anchor.boxes,
    path,
  }
}

/** The way up from a leaf whose path is not kept: from the whole tree, which is made once for all boxes of an anchor. */
async function pathInTree(
  db: Db,
  trees: TreeCache,
  { anchor, leaf }: ProvenAnchor,
): Promise<string[] | undefined> {
  const isWhole = ({ size }: MerkleTree): boolean => size === anchor.boxes
  const tree = await trees.get(`${anchor.index} ${anchor.root}`, () => readTree(db, anchor), isWhole)
  return isWhole(tree) ? tree.path(leaf.leafIndex).map(toHex) : undefined
}

/** The whole tree, whose leaves are kept until two newer anchors are confirmed; an empty one after that. */
async function readTree(db: Db, { index, boxes }: ProvenAnchor['anchor']): Promise<MerkleTree> {
  const leaves = await rows<Pick<BoxState, keyof BoxState>>(
    db,
    sql`select box_id as box, count, head, sealed from anchor_leaves where anchor_index = ${index} order by leaf_index`,
  )
  return treeOf(leaves.length === boxes ? leaves : [])
}
