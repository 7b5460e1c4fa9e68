import { logDifferences, rebuildTiles } from '#server/anchoring/log/log-rows.ts'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import { print, runAudit } from './command.ts'

const USAGE = `Usage: npm run -s log:audit -- [--rebuild]

Compares the log of anchors with the anchors of this database, and its tree with its entries. The settings are the
shop's, which may run on PostgreSQL meanwhile. Prints the key that others check its signatures with.
  --rebuild   makes the tree anew from the entries
Exit status: 0 all agree; 1 something differs; 2 it could not be done.`

runAudit(USAGE, async (db, isRebuilt) => {
  if (isRebuilt) await rebuildTiles(db)
  for (const { key } of await db.select().from(anchorLogs)) print(`Its key, for policies: ${key}`)
  const differences = await logDifferences(db)
  for (const words of differences) print(words)
  const count = differences.length === 1 ? '1 difference.' : `${differences.length} differences.`
  print(differences.length === 0 ? 'The log is as its anchors are.' : count)
  return differences.length
})
