import { asc } from 'drizzle-orm'
import { logDifferences, rebuildTiles } from '#server/anchoring/log/log-rows.ts'
import { anchorLogs, otherLogs } from '#server/db/schema/anchor-log.ts'
import { print, runAudit } from './command.ts'

const USAGE = `Usage: npm run -s log:audit -- [--rebuild]

Compares the log of anchors with the anchors of this database, and the trees of all logs with their entries. The settings are the
shop's, which may run on PostgreSQL meanwhile. Prints the key that others check its signatures with.
  --rebuild   makes the trees anew from the entries
Exit status: 0 all agree; 1 something differs; 2 it could not be done.`

runAudit(USAGE, async (db, isRebuilt) => {
  const others = await db.select().from(otherLogs).orderBy(asc(otherLogs.origin))
  if (isRebuilt)
    for (const of of [undefined, ...others.map(({ origin }) => origin)]) await rebuildTiles(db, of)
  for (const { key } of await db.select().from(anchorLogs)) print(`Its key, for policies: ${key}`)
  for (const { key, kind } of others)
    print(`${kind === 'builds' ? 'That of the log of builds' : 'That of a former log'}: ${key}`)
  const differences = await logDifferences(db)
  for (const words of differences) print(words)
  const count = differences.length === 1 ? '1 difference.' : `${differences.length} differences.`
  print(differences.length === 0 ? 'The log is as its anchors are.' : count)
  return differences.length
})
