import { writeSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { startAnchoring } from '#server/anchoring/anchor-loop.ts'
import { ANCHORS_CHANNEL } from '#server/anchoring/confirm-anchor.ts'
import { embeddedChain } from '#server/chain/embedded.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import { addBox, addRecords, anchoringWorld } from './anchoring.ts'

/**
 * A process for tests to kill: appends records and anchors them without end, in the data folder of its first argument.
 * Writes a line for each acknowledged append and for each confirmed anchor.
 */
const database = await openEmbedded(process.argv[2] ?? '')
const { db } = database
const { deps } = anchoringWorld(db, await embeddedChain(), { now: () => new Date() })
const tell = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`)

let anchored = Promise.withResolvers<void>()
const tellAnchor = async (index: number): Promise<void> => {
  const [anchor] = await db.select().from(anchors).where(eq(anchors.index, index))
  if (anchor === undefined) throw new Error(`anchor ${index} is not there`)
  const { root, txHash, blockNumber, blockTime } = anchor
  tell({ index, root, txHash, blockNumber, blockTime })
  anchored.resolve()
  anchored = Promise.withResolvers()
}
await database.listen(ANCHORS_CHANNEL, (heard) => void tellAnchor(Number(heard)))
startAnchoring(database, deps, 0.01)

for (let i = 0; ; i++) {
  const box = `box-${i % 5}`
  const [known] = await db.select().from(boxes).where(eq(boxes.id, box))
  if (known === undefined) await addBox(db, box)
  const n = 1 + (i % 3)
  await addRecords(db, box, n)
  tell({ box, count: (known?.count ?? 0) + n })
  if (i % 5 === 4) await anchored.promise // appending alone is so fast that anchors would be rare
}
