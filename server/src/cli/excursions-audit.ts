import { parseArgs } from 'node:util'
import { auditExcursions, rebuildExcursions } from '#server/excursions/rebuild-excursions.ts'
import { readSiteFile } from '#server/site/site.ts'
import { onDatabase, runCommand } from './command.ts'

const USAGE = `Usage: npm run -s excursions:audit -- [--rebuild]

Compares the excursions of every box with what its readings, as they are now, give; the settings are the shop's.
Boxes that grew and wait to be followed are left out.
  --rebuild   boxes that differ are followed anew by a running process
Exit status: 0 all agree; 1 some differ; 2 it could not be done.`

const print = (text: string): void => void process.stdout.write(`${text}\n`)

runCommand(async () => {
  const { values } = parseArgs({ options: { rebuild: { type: 'boolean' }, help: { type: 'boolean' } } })
  if (values.help) {
    print(USAGE)
    return 0
  }
  return onDatabase(async (db) => {
    let different = 0
    for await (const { boxID, differences } of auditExcursions({ db, siteFile: await readSiteFile() })) {
      different++
      for (const { only, since, until, peak } of differences)
        print(`${boxID}: only in the ${only}: ${since} to ${until ?? 'now'}, up to ${peak} °C`)
      if (values.rebuild) await rebuildExcursions(db, boxID)
    }
    if (different === 0) print('All excursions are as the readings are.')
    else print(different === 1 ? '1 box differs.' : `${different} boxes differ.`)
    return different === 0 ? 0 : 1
  })
})
