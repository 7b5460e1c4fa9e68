/**
 * Boxes at size: 1,000,000 records in 2,000 boxes on PostgreSQL, 100,000 in 200 on the embedded database.
 * `node bench/src/million.ts [boxes on PostgreSQL] [boxes embedded]`, after `npm run build`.
 */
import type { Database } from '../../server/src/db/client.ts'
import { checkInBrowser } from './browser-check.ts'
import { type BenchDatabase, databases } from './databases.ts'
import { ms, row, tableHead } from './load-table.ts'
import { measureBoxes } from './measure-boxes.ts'
import { boxName, LIVE_BOX, seedBoxes } from './seed-boxes.ts'
import { type Shop, startShop, untilIdle } from './shop.ts'
import { sized } from './sized.ts'

/** Everything is anchored before, so that nothing runs in the background. */
const QUIET = { ANCHOR_INTERVAL_S: '86400', SAMPLE_DATA: 'off', MQTT_PORT: '0' }

/** Writes the boxes and prints what was written. */
async function fillDatabase(place: BenchDatabase, boxes: number): Promise<void> {
  const database = await place.open()
  const began = performance.now()
  await seedBoxes(database.db, boxes)
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(`\n## Boxes: ${place.name}\n${await sizeOf(database)}, written in ${seconds} s.`)
  await database.close()
}

async function sizeOf({ db }: Database): Promise<string> {
  const { rows } = (await db.execute(
    `select format('%s records in %s boxes, %s anchors, %s', (select count(*) from records),
       (select count(*) from boxes), (select count(*) from anchors),
       pg_size_pretty(pg_database_size(current_database()))) as size`,
  )) as { rows: { size: string }[] }
  return rows[0]?.size ?? ''
}

async function measureChecks({ url }: Shop): Promise<void> {
  tableHead('checked in Chromium', 'records', 'proven', 'first visit, ms', 'median of 9 visits, ms')
  for (const boxID of [boxName(0), LIVE_BOX]) {
    const { proven, records, firstMs, medianMs } = await checkInBrowser(url, boxID)
    row(boxID, records, proven, ms(firstMs), ms(medianMs))
  }
}

async function measure(open: (() => Promise<BenchDatabase>) | undefined, boxes: number): Promise<void> {
  if (open === undefined || boxes === 0) return
  await using place = await open()
  await fillDatabase(place, boxes)
  await using shop = await startShop({ ...QUIET, ...place.env }, place.dataDir)
  await untilIdle(shop)
  await measureBoxes(shop, boxes)
  await measureChecks(shop)
}

const [onPostgres = sized(2_000, 2), embedded = sized(200, 0)] = process.argv.slice(2).map(Number)
const [openEmbedded, openPostgres] = databases
await measure(openPostgres, onPostgres)
await measure(openEmbedded, embedded)
process.exit(0)
