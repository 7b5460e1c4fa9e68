import { parseArgs } from 'node:util'
import { diffSales } from '#server/reports/sales-audit.ts'
import { rebuildSales } from '#server/reports/sales-projection.ts'
import { readSiteFile } from '#server/site/site.ts'
import { onDatabase, runCommand } from './command.ts'

const USAGE = `Usage: npm run -s reports:audit -- [--rebuild]

Compares the sums that reports are read from with a scan of all orders. The settings are the shop's, which may run on
PostgreSQL meanwhile: what has only just changed is not compared.
  --rebuild   has them made anew by a running process; reports say so until it is done
Exit status: 0 they agree, or are made anew; 1 something differs; 2 it could not be done.`

const print = (text: string): void => void process.stdout.write(`${text}\n`)

runCommand(async () => {
  const { values } = parseArgs({ options: { rebuild: { type: 'boolean' }, help: { type: 'boolean' } } })
  if (values.help) {
    print(USAGE)
    return 0
  }
  return onDatabase(async (db) => {
    if (values.rebuild) {
      await rebuildSales(db)
      print('The sums of sales are made anew by the next process that runs.')
      return 0
    }
    let count = 0
    for await (const difference of diffSales({ db, siteFile: await readSiteFile() })) {
      count++
      print(difference)
    }
    print(count === 0 ? 'The sums of sales are those of all orders.' : `${count} of them differ.`)
    return count === 0 ? 0 : 1
  })
})
