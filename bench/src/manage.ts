/**
 * A shop of 10,000 products, for managers and for the public, on both kinds of database.
 * `node bench/src/manage.ts`, after `npm run build`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchDatabase, databases } from './databases.ts'
import { measureBrowser } from './measure-browser.ts'
import { measureFiles } from './measure-files.ts'
import { measureLists } from './measure-lists.ts'
import { measureShelves } from './measure-shelves.ts'
import { addCategories, PRODUCTS, seedProducts } from './products.ts'
import { memoryMiB, startShop, untilIdle } from './shop.ts'
import { ADMIN, signIn } from './sign-in.ts'
import { isSmoke, sized } from './sized.ts'

const QUIET = { ...ADMIN, ANCHOR_INTERVAL_S: '86400', SAMPLE_DATA: 'off', MQTT_PORT: '0' }

/** By then the embedded database has vacuumed the earlier changes. */
const TIDIED_MS = sized(30_000, 0)

async function measure(place: BenchDatabase): Promise<void> {
  console.log(`\n## ${PRODUCTS} products, ${place.name}`)
  {
    await using shop = await startShop({ ...QUIET, ...place.env }, place.dataDir)
    await addCategories(shop)
    await untilIdle(shop)
    await measureFiles(shop)
  }
  const database = await place.open()
  await seedProducts(database)
  await database.close()
  await using shop = await startShop({ ...QUIET, ...place.env }, place.dataDir)
  await untilIdle(shop)
  console.log(
    `\nStarted again in ${Math.round(shop.startMs)} ms; memory idle ${await memoryMiB(shop.pid)} MiB.`,
  )
  await sleep(TIDIED_MS)
  const token = await signIn(shop)
  await measureLists(shop, token)
  await measureShelves(shop)
  await measureBrowser(shop.url, ['/', '/product', '/category/fish', '/manage/product'], token)
}

for (const open of isSmoke ? databases.slice(0, 1) : databases) {
  await using place = await open()
  await measure(place)
}
process.exit(0)
