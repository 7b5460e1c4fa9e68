/** What anchoring costs, in time and in gas. `node bench/src/anchoring.ts` */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { genesisHead, toHex } from '@befaqt/provenance'
import { embeddedChain } from '../../server/src/chain/embedded.ts'
import type { Db } from '../../server/src/db/client.ts'
import { anchoringWorld } from '../../server/src/testing/anchoring.ts'
import { type BenchDatabase, databases } from './databases.ts'
import { ms, row, tableHead } from './load-table.ts'

/** Open boxes, all of which an anchor commits to. */
const BOXES = [100, 2_000, 10_000, 100_000]
/** The embedded database blocks while it writes: it is not for more boxes. */
const MAX_EMBEDDED = 10_000
/** Records in one anchor, for gas. */
const RECORDS = [1_000, 10_000]
const REPLAYED = 300

/** Duration of some work, and the longest time for which it blocked the event loop, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<{ took: number; stood: number }> {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const began = performance.now()
  await work()
  const took = performance.now() - began
  loop.disable()
  return { took, stood: loop.max / 1e6 }
}

/** `n` boxes of ten records; the heads are random, since nothing here reads records. */
const addBoxes = (db: Db, n: number): Promise<unknown> =>
  db.execute(`insert into boxes (id, head, count)
    select 'B-' || i, '${toHex(genesisHead('bench'))}', 10 from generate_series(1, ${n}) i`)

const grow = (db: Db, boxes: number, by: number): Promise<unknown> =>
  db.execute(`update boxes set count = count + ${by} where id in (select id from boxes limit ${boxes})`)

type World = ReturnType<typeof anchoringWorld>

/** Anchoring on a fresh database with `n` open boxes. */
async function withBoxes(
  open: () => Promise<BenchDatabase>,
  n: number,
  work: (world: World, name: string) => Promise<void>,
): Promise<void> {
  await using place = await open()
  const database = await place.open()
  const world = anchoringWorld(database.db, await embeddedChain())
  await world.pass()
  await addBoxes(database.db, n)
  await work(world, place.name)
  await database.close()
}

async function measurePass(world: World, name: string, boxes: number): Promise<void> {
  const first = await timed(() => world.pass())
  await grow(world.deps.db, 100, 10)
  const next = await timed(() => world.pass())
  row(name, boxes, ms(first.took), ms(next.took), ms(next.stood))
}

/** Gas of three anchors, since three share a slot, after a first three. */
async function measureGas(world: World, records: number): Promise<void> {
  for (let i = 0; i < 6; i++) {
    await grow(world.deps.db, 100, records / 100)
    await world.pass()
  }
  const gas: number[] = []
  for (const { txHash } of (await world.anchors()).slice(-3)) {
    const request = { method: 'eth_getTransactionReceipt', params: [txHash] }
    gas.push(Number(((await world.deps.chain.rpc(request)) as { gasUsed: string }).gasUsed))
  }
  const each = gas.reduce((sum, one) => sum + one, 0) / gas.length / records
  row(records, gas.join(' · '), each.toFixed(2))
}

async function measureReplay(world: World): Promise<void> {
  for (let i = 0; i < REPLAYED; i++) {
    await grow(world.deps.db, 1, 1)
    await world.pass()
  }
  const anew = await embeddedChain()
  const { took } = await timed(() => world.restarted(anew).pass())
  console.log(`\nReplay of ${REPLAYED + 1} blocks after a restart: ${ms(took)} ms.`)
}

const [embedded, postgres] = databases
if (embedded === undefined || postgres === undefined) throw new Error('a database is missing')
tableHead('database', 'open boxes', 'first anchor, ms', 'next with 100 grown, ms', 'of it standing still, ms')
for (const open of [postgres, embedded])
  for (const n of BOXES)
    if (open === postgres || n <= MAX_EMBEDDED)
      await withBoxes(open, n, (world, name) => measurePass(world, name, n))
tableHead('records in an anchor', 'gas of three anchors', 'gas per record')
for (const records of RECORDS) await withBoxes(embedded, 2_000, (world) => measureGas(world, records))
await withBoxes(embedded, 1, measureReplay)
process.exit(0)
