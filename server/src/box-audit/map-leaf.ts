import { fromHex, genesisHead, headAfter, toHex } from '@befaqt/provenance'
import { proveBox } from '@befaqt/provenance/box-map'
import { loadPaths } from '@befaqt/provenance/load-paths'
import { desc } from 'drizzle-orm'
import { nodesIn } from '#server/anchoring/box-map/map-nodes.ts'
import { readRecordsAfter } from '#server/boxes/projection/load-state.ts'
import type { BoxRow } from '#server/boxes/records/read-records.ts'
import { type Db, ONE_MOMENT } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'

/**
 * Where the box map of the newest anchor says of a box what its records don't give, or lacks a node on the way to it. A
 * box that is in no anchor yet has nothing to compare. Source: protocol §3 and §4.
 */
export const leafDifferences = ({ db }: { db: Db }, row: BoxRow): Promise<string[]> =>
  db.transaction(async (tx) => {
    const [newest] = await tx
      .select({ index: anchors.index, root: anchors.root })
      .from(anchors)
      .orderBy(desc(anchors.index))
      .limit(1)
    if (newest === undefined) return []
    const said = `anchor ${newest.index}`
    try {
      const { leaf } = proveBox(await loadPaths(nodesIn(tx), newest.root, [row.id]), newest.root, row.id)
      if (leaf === null) return []
      if (leaf.count > row.count) return [`${said} has ${leaf.count} records, the box ${row.count}`]
      let head = genesisHead(row.id)
      const written = await readRecordsAfter(tx, { ...row, count: leaf.count }, 0)
      for (const { recordHash } of written) head = headAfter(head, fromHex(recordHash))
      return toHex(head) === leaf.head
        ? []
        : [`${said} has head ${leaf.head}, and ${leaf.count} records give ${toHex(head)}`]
    } catch (error) {
      if (error instanceof RangeError) return [`${said}: ${error.message}`]
      throw error
    }
  }, ONE_MOMENT)
