import { parseArgs } from 'node:util'
import { asc, gt } from 'drizzle-orm'
import { boxWatches } from '#server/db/schema/excursions.ts'
import { diffExcursions, rebuildExcursions } from '#server/excursions/rebuild-excursions.ts'
import { readSiteFile } from '#server/site/site.ts'
import { onDatabase, runCommand } from './command.ts'

const USAGE = `Usage: npm run -s excursions:audit -- [--rebuild]

Compares the excursions of every box with what its readings, as they are now, give; the settings are the shop's.
  --rebuild   boxes that differ are followed anew by a running process
Exit status: 0 all agree; 1 some differ; 2 it could not be done.`

/** Boxes that are read at once. */
const PART = 500

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { rebuild: { type: 'boolean' }, help: { type: 'boolean' } } })
  if (values.help) throw new Error(USAGE)
  return onDatabase(async (db) => {
    const siteFile = await readSiteFile()
    let different = 0
    for (let last = ''; ; ) {
      const part = await db
        .select({ id: boxWatches.boxId })
        .from(boxWatches)
        .where(gt(boxWatches.boxId, last))
        .orderBy(asc(boxWatches.boxId))
        .limit(PART)
      for (const { id } of part) {
        const found = await diffExcursions({ db, siteFile }, id)
        if (found.length === 0) continue
        different++
        for (const { only, since, until, peak } of found)
          print(`${id}: only in the ${only}: ${since} to ${until ?? 'now'}, up to ${peak} °C`)
        if (values.rebuild) await rebuildExcursions(db, id)
      }
      last = part.at(-1)?.id ?? ''
      if (part.length < PART) break
    }
    print(different === 0 ? 'All excursions are as the readings are.' : `${different} boxes differ.`)
    return different === 0 ? 0 : 1
  })
}

runCommand(main)
