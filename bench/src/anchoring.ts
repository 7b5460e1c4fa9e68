/** What anchoring costs, in time, memory and gas. `node bench/src/anchoring.ts [postgres] [embedded] [BOXES …]` */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { genesisHead, toHex } from '@befaqt/provenance'
import { embeddedChain } from '../../server/src/chain/embedded.ts'
import type { Db } from '../../server/src/db/client.ts'
import { anchoringWorld, collectAt } from '../../server/src/testing/anchoring.ts'
import { type BenchDatabase, databases, databasesNamed } from './databases.ts'
import { fillMap } from './full-map.ts'
import { ms, row, tableHead } from './load-table.ts'
import { sized } from './sized.ts'

const words = process.argv.slice(2)
const sizes = words.map(Number).filter((n) => n > 0)
/** Boxes in the map. */
const BOXES = sizes.length > 0 ? sizes : sized([10_000, 100_000], [40])
/** The embedded database blocks while it writes: it is not for more boxes. */
const MAX_EMBEDDED = 10_000
/** Of them so many have grown; the first anchor warms up the code and is not shown. */
const GROWN = sized([100, 100, 10_000], [5, 5, 20])
/** Records in one anchor, for gas. */
const RECORDS = sized([1_000, 10_000], [10])
const REPLAYED = sized(300, 5)

/** What some work took, all times in milliseconds. */
interface Cost {
  readonly took: number
  /** Processor time of this process; a PostgreSQL server's own comes on top. */
  readonly cpu: number
  /** The longest time in which no request had its turn. */
  readonly stood: number
  /** Memory that this process had more at its highest, in MB. */
  readonly memory: number
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  globalThis.gc?.()
  const [loop, before, cpuBefore] = [
    monitorEventLoopDelay({ resolution: 1 }),
    process.memoryUsage().rss,
    process.cpuUsage(),
  ]
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 20)
  loop.enable()
  const began = performance.now()
  await work()
  const took = performance.now() - began
  loop.disable()
  clearInterval(watch)
  const { user, system } = process.cpuUsage(cpuBefore)
  return { took, cpu: (user + system) / 1000, stood: loop.max / 1e6, memory: (most - before) / 1e6 }
}

const addBoxes = (db: Db, n: number): Promise<unknown> =>
  db.execute(`insert into boxes (id, head, count)
    select 'B-' || i, '${toHex(genesisHead('bench'))}', 10 from generate_series(1, ${n}) i`)

const grow = (db: Db, boxes: number, by: number): Promise<unknown> =>
  db.execute(`update boxes set count = count + ${by}
    where id in (select id from boxes limit ${boxes})`)

type Anchoring = ReturnType<typeof anchoringWorld>

async function withDatabase(
  open: () => Promise<BenchDatabase>,
  work: (db: Db, name: string) => Promise<void>,
): Promise<void> {
  await using place = await open()
  const database = await place.open()
  await work(database.db, place.name)
  await database.close()
}

async function measureAnchors(db: Db, name: string, boxes: number): Promise<void> {
  await fillMap(db, boxes)
  for (const [turn, grown] of GROWN.entries()) {
    await db.execute(`update boxes set count = count + 1 where id in (
      select id from boxes order by md5(id || '${turn}') limit ${grown})`)
    const { took, cpu, stood, memory } = await costOf(() => collectAt(db, new Date()))
    if (turn > 0) row(name, boxes, grown, ms(took), ms(cpu), ms(stood), memory.toFixed(0))
  }
}

/** Gas of three anchors, since three share a slot, after a first three. */
async function measureGas(anchoring: Anchoring, records: number): Promise<void> {
  for (let i = 0; i < 6; i++) {
    await grow(anchoring.deps.db, 100, records / 100)
    await anchoring.pass()
  }
  const gas: number[] = []
  for (const { txHash } of (await anchoring.anchors()).slice(-3)) {
    const request = { method: 'eth_getTransactionReceipt', params: [txHash] }
    gas.push(Number(((await anchoring.deps.chain.rpc(request)) as { gasUsed: string }).gasUsed))
  }
  const each = gas.reduce((sum, one) => sum + one, 0) / gas.length / records
  row(records, gas.join(' · '), each.toFixed(2))
}

async function measureReplay(anchoring: Anchoring): Promise<void> {
  for (let i = 0; i < REPLAYED; i++) {
    await grow(anchoring.deps.db, 1, 1)
    await anchoring.pass()
  }
  const anew = await embeddedChain()
  const { took } = await costOf(() => anchoring.restarted(anew).pass())
  console.log(`\nReplay of ${REPLAYED + 1} blocks after a restart: ${ms(took)} ms.`)
}

const onChain = async (db: Db, boxes: number): Promise<Anchoring> => {
  const anchoring = anchoringWorld(db, await embeddedChain())
  await anchoring.pass()
  await addBoxes(db, boxes)
  return anchoring
}

const [embedded, postgres] = databases
if (embedded === undefined || postgres === undefined) throw new Error('a database is missing')
tableHead('database', 'boxes', 'grown', 'ms', 'processor, ms', 'standing still, ms', 'memory, MB')
for (const open of databasesNamed(words))
  for (const n of BOXES)
    if (open !== embedded || n <= MAX_EMBEDDED)
      await withDatabase(open, (db, name) => measureAnchors(db, name, n))
if (sizes.length > 0) process.exit(0)
tableHead('records in an anchor', 'gas of three anchors', 'gas per record')
for (const records of RECORDS)
  await withDatabase(embedded, async (db) => measureGas(await onChain(db, 2_000), records))
await withDatabase(embedded, async (db) => measureReplay(await onChain(db, 1)))
process.exit(0)
