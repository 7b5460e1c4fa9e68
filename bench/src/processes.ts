/**
 * More processes of one shop on PostgreSQL: what a request costs the processor with four web processes beside one, and how
 * often a job is asked for until it is done; and two web processes with a worker, through PgBouncer in transaction mode with
 * a pool of 20 beside the database itself. `PGBOUNCER=/usr/sbin/pgbouncer node bench/src/processes.ts [requests]`, after
 * `npm run build`. Half of the requests are orders, half pages that are rendered for one visitor; and pages alone. Four
 * processes share the visitors of one, who ask as fast as they are answered; and they have as many requests a second each as
 * the one, with time to spare: where they wait for each other's processors, what costs the same each second is as much more.
 */
import { copyFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openPgbouncer, withoutPgbouncer } from '../../server/src/testing/pgbouncer.ts'
import { freePort } from '../../tools/test/free-port.ts'
import { budgetHead, checkBudget } from './budget.ts'
import { type Program, program } from './chaos/program.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { row, tableHead } from './load-table.ts'
import { nextOrder, seedWanted } from './next-order.ts'
import { startShops } from './order-rush/shops.ts'
import { builtProgram, cpuMs } from './shop.ts'
import { sized } from './sized.ts'

const [REQUESTS = sized(4_000, 40)] = process.argv.slice(2).map(Number)
const AT_ONCE = 20
const PRODUCTS = 20
/** Turns of each way, so that a machine that slows down slows both. */
const TURNS = sized(3, 1)

const orderOf = nextOrder(PRODUCTS)
let visits = 0

/** Without `perSecond`, the requests of a process each second, visitors ask again as soon as they are answered. */
type Load = { visitors: number; orders: boolean; requests: number; perSecond?: number }
const SHARED: Load = { visitors: AT_ONCE, orders: true, requests: REQUESTS }

/** Sends requests to the processes in turn, so many at once. @returns milliseconds @throws when one is refused */
async function send(
  urls: readonly string[],
  { visitors, orders, requests, perSecond = Number.POSITIVE_INFINITY }: Load,
): Promise<number> {
  const began = performance.now()
  const eachMs = 1_000 / (perSecond * urls.length)
  let sent = 0
  const visitor = async (): Promise<void> => {
    for (let i = sent++; i < requests; i = sent++) {
      const early = began + i * eachMs - performance.now()
      if (early > 0) await wait(early)
      const url = urls[Math.floor(i / 2) % urls.length] ?? ''
      const { headers, body } = orderOf()
      const response =
        orders && i % 2 === 0
          ? await fetch(`${url}/api/order`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', ...headers },
              body: JSON.stringify(body),
            })
          : await fetch(`${url}/product?q=own+${++visits}`, { headers, redirect: 'manual' })
      const text = await response.text()
      if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: visitors }, visitor))
  return performance.now() - began
}

/** Statements that ask for a job, in what the server logs: one that finds none is one, too. */
function claimsHeard() {
  let [rest, claims] = ['', 0]
  return {
    heard: (text: string): void => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      claims += lines.filter((line) => line.includes('update jobs set attempts')).length
    },
    get: (): number => claims,
  }
}

/** `claimsPerJob` is NaN where there was no job. */
type Cost = { cpuMs: number; claimsPerJob: number }

/** What a request of each load costs with so many web processes. */
async function costsWith(count: number, loads: readonly Load[]): Promise<Cost[]> {
  const claims = claimsHeard()
  const [open] = databasesNamed(['postgres'], { parameters: ['log_statement=mod'], heard: claims.heard })
  if (open === undefined) throw new Error('no database')
  await using place = await seeded(open)
  await using shops = await startShops(place, count)
  const client = new pg.Client({ connectionString: place.env.DATABASE_URL })
  await client.connect()
  const number = async (query: string): Promise<number> => Number((await client.query(query)).rows[0]?.n)
  const untilDone = async (): Promise<void> => {
    while ((await number('select count(*) as n from jobs where failed_at is null and run_at <= now()')) > 0)
      await wait(100)
    await wait(1_000) // so that statistics are told
  }
  const jobs = () => number(`select n_tup_ins as n from pg_stat_user_tables where relname = 'jobs'`)
  const used = async (): Promise<number> =>
    (await Promise.all(shops.webs.map(({ pid }) => cpuMs(pid ?? 0)))).reduce((all, own) => all + own, 0)
  const urls = shops.webs.map(({ url }) => url)
  await send(urls, { ...SHARED, requests: count * REQUESTS }) // so that each has compiled all code
  const costs: Cost[] = []
  for (const load of loads) {
    await untilDone()
    const before = { cpu: await used(), claims: claims.get(), jobs: await jobs() }
    await send(urls, load)
    await untilDone()
    costs.push({
      cpuMs: ((await used()) - before.cpu) / load.requests,
      claimsPerJob: load.orders
        ? (claims.get() - before.claims) / ((await jobs()) - before.jobs)
        : Number.NaN,
    })
  }
  await client.end()
  return costs
}

async function seeded(open: () => Promise<BenchDatabase>): Promise<BenchDatabase> {
  const place = await open()
  const database = await place.open()
  await seedWanted(database, PRODUCTS)
  await database.close()
  return place
}

/** A worker beside web processes, with their keys. */
async function startWorker(place: BenchDatabase): Promise<Program> {
  const folder = join(place.dataDir, 'worker')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const file of ['secret.key', 'operator.key'])
    await copyFile(join(place.dataDir, file), join(folder, file))
  const port = await freePort()
  const worker = program('worker', builtProgram('worker').args, `http://127.0.0.1:${port}`, {
    ...{ PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: tmpdir(), NODE_ENV: 'production' },
    ...{ WORKER_PORT: String(port), MQTT_PORT: '0', DATA_DIR: folder, PUBLIC_URL: 'http://shop.example' },
    ...{ SAMPLE_DATA: 'off', LOG_LEVEL: 'error' },
    ...place.env,
  })
  await worker.start()
  return worker
}

/** Milliseconds of all turns by two web processes and a worker that are there meanwhile. */
async function turnOf(place: BenchDatabase): Promise<number> {
  await using shops = await startShops(place, 2)
  const worker = await startWorker(place)
  try {
    const urls = shops.webs.map(({ url }) => url)
    await send(urls, SHARED)
    return await send(urls, SHARED)
  } finally {
    await worker.stop()
  }
}

async function throughPooler(): Promise<void> {
  const [open] = databasesNamed(['postgres'], { crashes: true })
  if (open === undefined) throw new Error('no database')
  await using place = await seeded(open)
  const direct = place.env.DATABASE_URL ?? ''
  await using pooler = await openPgbouncer(direct, ['pool_mode = transaction'])
  const pooled = { ...place, env: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct } }
  const took = { direct: 0, pooled: 0 }
  for (let turn = 0; turn < TURNS; turn++) {
    took.direct += await turnOf(place)
    took.pooled += await turnOf(pooled)
  }
  const perSecond = (ms: number): number => Math.round((TURNS * REQUESTS * 1_000) / ms)
  tableHead('two web processes and a worker', 'requests/s')
  row('the database itself', perSecond(took.direct))
  row('through PgBouncer, pool of 20', perSecond(took.pooled))
  budgetHead('through PgBouncer')
  checkBudget(['requests/s, of those without'], (100 * took.direct) / took.pooled, { leastPercent: 90 })
}

const WEBS = sized(4, 2)
/** Requests a second of each process: four of them take less than two processors. */
const PACE = sized(30, 200)
const paced = (webs: number, orders: boolean): Load => ({
  ...{ visitors: webs * AT_ONCE, orders },
  ...{ requests: (webs * REQUESTS) / 4, perSecond: PACE },
})
const rowOf = (what: string, { cpuMs, claimsPerJob }: Cost): void =>
  row(what, cpuMs.toFixed(2), Number.isNaN(claimsPerJob) ? '' : claimsPerJob.toFixed(2))
const ones = await costsWith(1, [SHARED, paced(1, true), paced(1, false)])
const fours = await costsWith(WEBS, [SHARED, paced(WEBS, true), paced(WEBS, false)])
const [one, pacedOne, pagesOfOne, shared, each, pagesOfEach] = [...ones, ...fours]
if (!one || !pacedOne || !pagesOfOne || !shared || !each || !pagesOfEach)
  throw new Error('a load was not measured')
tableHead('web processes', 'processor ms a request', 'times a job is asked for')
rowOf(`one, ${AT_ONCE} visitors, half orders`, one)
rowOf('four that share them', shared)
rowOf(`one, ${PACE} requests a second, half orders`, pacedOne)
rowOf('four with as many each', each)
rowOf(`one, ${PACE} pages a second`, pagesOfOne)
rowOf('four with as many each', pagesOfEach)
budgetHead('four against one')
const least = { leastPercent: 91 }
checkBudget(['requests per processor time, visitors shared'], (100 * one.cpuMs) / shared.cpuMs, least)
checkBudget(['as many a second each'], (100 * pacedOne.cpuMs) / each.cpuMs, least)
checkBudget(['as many pages a second each'], (100 * pagesOfOne.cpuMs) / pagesOfEach.cpuMs, least)
for (const cost of [shared, each])
  checkBudget(['jobs done per time they are asked for'], 100 / cost.claimsPerJob, { leastPercent: 50 })
if (withoutPgbouncer) console.log(`\nNothing is measured through a pooler. ${withoutPgbouncer}.`)
else await throughPooler()
process.exit(0)
