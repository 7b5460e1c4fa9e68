import { writeSync } from 'node:fs'
import { parsePolicy } from '@befaqt/provenance/log/policy'
import { and, asc, eq, gt } from 'drizzle-orm'
import { startAnchoring } from '#server/anchoring/anchor-loop.ts'
import { witnessCalls } from '#server/anchoring/log/ask-witnesses.ts'
import { followAnchors } from '#server/anchoring/log/sign-log.ts'
import { embeddedChain } from '#server/chain/embedded.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { EVENTS_CHANNEL } from '#server/db/events.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import { AT_ONCE, logSettings, signedIn } from './anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from './anchoring.ts'

/**
 * A process for tests to kill: appends records and anchors them without end, in the data folder of its first argument, and
 * signs the log of anchors, which it sends to the witnesses of the policy that is its second. Writes a line for each acknowledged append, each confirmed anchor and each checkpoint.
 */
const folder = process.argv[2] ?? ''
const database = await openEmbedded(folder)
const { db } = database
const { deps } = anchoringWorld(db, await embeddedChain(), { now: () => new Date() })
const tell = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`)

let toldSize = 0
const tellCheckpoints = async (): Promise<void> => {
  for (const { size, note } of await signedIn(db)) {
    if (size <= toldSize) continue
    toldSize = size
    tell({ size, note })
  }
}
const policy = process.argv[3]
const witnesses = policy === undefined ? undefined : witnessCalls(parsePolicy(Buffer.from(policy)), AT_ONCE)
const follow = followAnchors({ ...logSettings(folder), witnesses })

let anchored = Promise.withResolvers<void>()
let told = -1
const tellAnchors = async (): Promise<void> => {
  const after = told
  const found = await db
    .select()
    .from(anchors)
    .where(and(eq(anchors.state, 'confirmed'), gt(anchors.index, after)))
    .orderBy(asc(anchors.index))
  for (const { index, root, txHash, blockNumber, blockTime } of found) {
    if (index <= told) continue // by a call meanwhile
    told = index
    tell({ index, root, txHash, blockNumber, blockTime })
    anchored.resolve()
    anchored = Promise.withResolvers()
  }
}
await database.listen(EVENTS_CHANNEL, () => void tellAnchors())
startAnchoring(database, deps, 0.01, async (leading) => {
  await follow(leading)
  await tellCheckpoints()
})

for (let i = 0; ; i++) {
  const box = `box-${i % 5}`
  const [known] = await db.select().from(boxes).where(eq(boxes.id, box))
  if (known === undefined) await addBox(db, box)
  const n = 1 + (i % 3)
  await addRecords(db, box, n)
  tell({ box, count: (known?.count ?? 0) + n })
  if (i % 5 === 4) await anchored.promise // appending alone is so fast that anchors would be rare
}
