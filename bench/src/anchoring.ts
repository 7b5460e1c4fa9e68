import { genesisHead, toHex } from '@befaqt/provenance'
import { anchoringWorld } from '../../server/src/anchoring/testing.ts'
import { embeddedChain } from '../../server/src/chain/embedded.ts'
import type { Db } from '../../server/src/db/client.ts'
import { testDatabases } from '../../server/src/db/testing.ts'

/** Prints what anchoring costs, in time and in gas: `node bench/src/anchoring.ts`. */
const row = (...cells: (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return Math.round(performance.now() - began)
}

/** `n` boxes of ten records; their heads are not those of records, which nobody reads here. */
const addBoxes = (db: Db, n: number): Promise<unknown> =>
  db.execute(`insert into boxes (id, head, count)
    select 'B-' || i, '${toHex(genesisHead('bench'))}', 10 from generate_series(1, ${n}) i`)

const grow = (db: Db, boxes: number, by: number): Promise<unknown> =>
  db.execute(`update boxes set count = count + ${by} where id in (select id from boxes limit ${boxes})`)

/** Gas of three anchors of 1,000 records each, since three share a slot; after a first three. */
async function gasPerRecord(world: ReturnType<typeof anchoringWorld>, db: Db): Promise<string> {
  const gas: number[] = []
  for (let i = 0; i < 4; i++) {
    await grow(db, 100, 10)
    await world.pass()
  }
  for (const { txHash } of (await world.anchors()).slice(3)) {
    const request = { method: 'eth_getTransactionReceipt', params: [txHash] }
    gas.push(Number(((await world.deps.chain.rpc(request)) as { gasUsed: string }).gasUsed))
  }
  return `${gas.join(' · ')} | ${(gas.reduce((sum, each) => sum + each, 0) / 3_000).toFixed(1)}`
}

async function measurePasses(): Promise<void> {
  console.log('\n| database | boxes | first anchor, ms | next, ms | gas of three | gas per record at 1,000 |')
  console.log('|---|---|---|---|---|---|')
  for (const [name, open] of testDatabases)
    for (const n of [100, 1_000, 10_000]) {
      await using t = await open()
      const world = anchoringWorld(t.db, await embeddedChain())
      await world.pass()
      await addBoxes(t.db, n)
      const first = await timed(() => world.pass())
      await grow(t.db, 100, 10)
      const next = await timed(() => world.pass())
      row(name, n, first, next, n === 1_000 ? await gasPerRecord(world, t.db) : ' | ')
    }
}

async function measureReplay(anchors: number): Promise<void> {
  const [[, open] = []] = testDatabases
  if (open === undefined) return
  await using t = await open()
  const world = anchoringWorld(t.db, await embeddedChain())
  await addBoxes(t.db, 1)
  for (let i = 0; i < anchors; i++) {
    await grow(t.db, 1, 1)
    await world.pass()
  }
  const ms = await timed(async () => world.restarted(await embeddedChain()).pass())
  console.log(`\nReplay of ${anchors + 1} blocks after a restart: ${ms} ms.`)
}

await measurePasses()
await measureReplay(300)
process.exit(0)
