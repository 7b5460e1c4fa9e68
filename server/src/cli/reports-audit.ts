import { boxes, diffBoxes } from '#server/reports/box-sums.ts'
import { rebuild } from '#server/reports/projection.ts'
import { diffSales } from '#server/reports/sales-audit.ts'
import { sales } from '#server/reports/sales-projection.ts'
import { readSiteFile } from '#server/site/site.ts'
import { print, runAudit } from './command.ts'

const USAGE = `Usage: npm run -s reports:audit -- [--rebuild]

Compares the sums that reports are read from with a scan of all orders and boxes. The settings are the shop's, which may run on
PostgreSQL meanwhile: what has only just changed is not compared.
  --rebuild   has them made anew by a running process; reports say so until it is done
Exit status: 0 they agree, or are made anew; 1 something differs; 2 it could not be done.`

runAudit(USAGE, async (db, isRebuilt) => {
  const deps = { db, siteFile: await readSiteFile() }
  if (isRebuilt) {
    for (const projection of [sales(deps), boxes(deps)]) await rebuild(db, projection)
    print('The sums are made anew by the next process that runs.')
    return 0
  }
  let count = 0
  for (const differences of [diffSales(deps), diffBoxes(deps)])
    for await (const difference of differences) {
      count++
      print(difference)
    }
  print(count === 0 ? 'The sums are those of all orders and boxes.' : `${count} of them differ.`)
  return count
})
