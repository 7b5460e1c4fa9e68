/**
 * Every page and list of a shop of 1,000,000 orders, 500,000 boxes, 100,000 customers, 10,000 products and 5,000 slots on
 * PostgreSQL: how long it takes, by the server's own routes, beside its budget, and what its statements read of tables that
 * grow. `node bench/src/scale.ts [part of a path, or =path …]`, after `npm run build`. In `npm test` it is at a size
 * at which times mean nothing and plans do, and throws where a page has no index for such a table.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { measurePages } from './scale/measure-pages.ts'
import { pages } from './scale/pages.ts'
import { planLog, planParameters } from './scale/plans.ts'
import { SCALE, seedScale } from './scale/seed-scale.ts'
import { type Shop, startShop, untilIdle } from './shop.ts'
import { ADMIN, bearer, signIn } from './sign-in.ts'
import { isSmoke } from './sized.ts'

const asked = process.argv.slice(2)
const log = planLog()
const [openPostgres] = databasesNamed(['postgres'], { parameters: planParameters, heard: log.heard })
if (openPostgres === undefined) throw new Error('there is no PostgreSQL')

async function seeded(place: BenchDatabase): Promise<Shop> {
  const env = { ...ADMIN, ANCHOR_INTERVAL_S: '86400', SAMPLE_DATA: 'off', ...place.env }
  {
    await using shop = await startShop(env, place.dataDir)
    await untilIdle(shop)
  }
  const began = performance.now()
  const database = await place.open()
  await seedScale(database)
  await database.close()
  const shop = await startShop(env, place.dataDir)
  await untilIdle(shop)
  console.log(
    `\n## ${Object.entries(SCALE)
      .map(([what, n]) => `${n.toLocaleString('en')} ${what}`)
      .join(', ')}`,
  )
  console.log(`Written and started in ${Math.round((performance.now() - began) / 1_000)} s.`)
  return shop
}

/** Waits until reports have their sums. */
async function untilMade({ url }: Shop, token: string): Promise<void> {
  for (const report of ['sales', 'fish'])
    for (;;) {
      const answer = await fetch(`${url}/api/manage/report/${report}`, { headers: bearer(token) })
      if (((await answer.json()) as { isMade: boolean }).isMade) break
      await sleep(500)
    }
}

async function measure(place: BenchDatabase): ReturnType<typeof measurePages> {
  await using shop = await seeded(place)
  const token = await signIn(shop)
  await untilMade(shop, token)
  const { db, close } = await place.open()
  try {
    const isAsked = (path: string): boolean =>
      asked.length === 0 || asked.some((part) => path.includes(part) || `=${path}` === part)
    const chosen = pages.filter(({ path }) => isAsked(path))
    return await measurePages(shop, token, db, log, chosen)
  } finally {
    await close()
  }
}

async function run(open: () => Promise<BenchDatabase>): ReturnType<typeof measurePages> {
  await using place = await open()
  return await measure(place)
}

const missing = (await run(openPostgres)).filter(({ how }) => how === 'Seq Scan')
if (isSmoke && missing.length > 0)
  throw new Error(`no index for ${missing.map(({ table, path }) => `${table} of ${path}`).join(', ')}`)
process.exit(0)
