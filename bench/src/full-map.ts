import { genesisHead, toHex } from '@befaqt/provenance'
import { boxKey, EMPTY, MapNodes, updateMap } from '@befaqt/provenance/box-map'
import { pruneNodes, saveNodes } from '../../server/src/anchoring/box-map.ts'
import type { Db } from '../../server/src/db/client.ts'
import { anchors } from '../../server/src/db/schema/ledger.ts'

const CHUNK = 10_000
const HEAD = toHex(genesisHead('bench'))

/**
 * A database with `n` boxes of ten records that its first anchor holds: the map is built at once, where anchors would
 * take 10,000 boxes each. The heads are those of no records, since nothing here reads any.
 */
export async function fillMap(db: Db, n: number): Promise<void> {
  await db.execute('alter table boxes disable trigger boxes_added')
  await db.execute(
    `insert into boxes (id, head, count) select 'B-' || i, '${HEAD}', 10 from generate_series(1, ${n}) i`,
  )
  await db.execute('alter table boxes enable trigger boxes_added')
  const root = await saveMap(db, n)
  const blockTime = Math.floor(Date.now() / 1000) - 600
  const confirmed = { txHash: `0x${'0'.repeat(64)}`, blockNumber: 1, blockTime, confirmedAt: new Date() }
  await db
    .insert(anchors)
    .values({ index: 0, root, boxes: n, records: 10 * n, state: 'confirmed', ...confirmed })
  await db.execute('analyze')
}

/** In the order of the keys each portion touches only the edge of the one before, whose nodes are in its answer. */
async function saveMap(db: Db, n: number): Promise<string> {
  const boxIDs = Array.from({ length: n }, (_, i) => ({ id: `B-${i + 1}`, key: toHex(boxKey(`B-${i + 1}`)) }))
  boxIDs.sort((a, b) => (a.key < b.key ? -1 : 1))
  let [root, edge] = [EMPTY, new MapNodes()]
  for (let from = 0; from < n; from += CHUNK) {
    const states = boxIDs
      .slice(from, from + CHUNK)
      .map(({ id }) => ({ box: id, count: 10, head: HEAD, sealed: false }))
    const { root: next, added, removed } = updateMap(edge, root, states)
    await db.transaction(async (tx) => {
      await saveNodes(tx, 0, { added, removed })
    })
    ;[root, edge] = [next, new MapNodes(added)]
  }
  await db.transaction((tx) => pruneNodes(tx, 0))
  return root
}
