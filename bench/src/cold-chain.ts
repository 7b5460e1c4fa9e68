/**
 * Boxes with a reading each every ten seconds on PostgreSQL: how long it takes until the watch has an excursion of each
 * that gets warm. `node bench/src/cold-chain.ts [boxes] [seconds] [watchers]`: 5,000 boxes, 60 s and 1 watcher unless given.
 */
import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { genesisHead, toHex } from '@befaqt/provenance'
import { startWatch } from '../../server/src/excursions/watch-boxes.ts'
import { ingestReadings } from '../../server/src/ingestion/ingest-readings.ts'
import { testShop } from '../../server/src/testing/shop.ts'
import { databasesNamed } from './databases.ts'
import { percentile } from './percentile.ts'
import { sized } from './sized.ts'

const [boxes = sized(5_000, 40), seconds = sized(60, 2), watchers = 1] = process.argv.slice(2).map(Number)
const INTERVAL_S = 10
/** Of a hundred boxes so many get warm, one after the other over the whole time. */
const WARM_PERCENT = 5
const BUDGET_S = 30
const MIN_MS = 60_000

const idOf = (i: number): string => `BENCH-${i}`
const isWarm = (i: number): boolean => i % 100 < WARM_PERCENT

const [open] = databasesNamed(['postgres'])
if (open === undefined) throw new Error('no PostgreSQL')
await using place = await open()
const database = await place.open()
await using shop = await testShop({
  open: async () => ({ ...database, [Symbol.asyncDispose]: () => database.close() }),
})
const { deps } = shop
/** Rows of a query without values from outside. */
const rows = async <Row>(query: string): Promise<Row[]> =>
  ((await deps.db.execute(query)) as { rows: Row[] }).rows

const heads = Array.from({ length: boxes }, (_, i) => ({ id: idOf(i), head: toHex(genesisHead(idOf(i))) }))
await rows(`insert into boxes (id, head)
  select b.id, b.head from json_to_recordset('${JSON.stringify(heads)}'::json) as b(id text, head text)`)

/** Takes a reading of each of these boxes, as the last that was accepted. */
const send = async (
  which: readonly number[],
  at: number,
  degreesOf: (i: number) => number,
): Promise<void> => {
  const time = new Date(at).toISOString()
  const submissions = which.map((i) => ({
    input: {
      box: idOf(i),
      iotID: `L-${i}`,
      time,
      latitude: -33.5,
      longitude: 150.5,
      temperature: degreesOf(i),
    },
  }))
  const outcomes = (await ingestReadings(deps, submissions)).flat()
  if (outcomes.some((one) => one !== 'accepted'))
    throw new Error(`not accepted: ${JSON.stringify(outcomes[0])}`)
}
const all = Array.from({ length: boxes }, (_, i) => i)
for (let from = 0; from < boxes; from += 500)
  await send(all.slice(from, from + 500), Date.now() - 31 * MIN_MS, (i) => (isWarm(i) ? 8 : 2))

const stops = Array.from({ length: watchers }, () => startWatch(deps))
const waiting = async (): Promise<number> => {
  const [queue] = await rows<{ s: number }>(
    `select coalesce(extract(epoch from now() - least((select min(due_at) from watch_queue),
       (select min(at) from events where number > c.last), (select min(at) from events where number is null))), 0)::float as s
     from event_consumers c`,
  )
  return queue?.s ?? 1 // the watch has not begun
}
while ((await waiting()) > 0) await sleep(200) // what was sent before the start

// A warm box is silent until its turn, and warm from then on.
const turnOf = new Map(
  all
    .filter(isWarm)
    .map((i, nth, { length }) => [i, Math.floor((nth * Math.max(1, seconds - INTERVAL_S)) / length)]),
)
const warmAt = new Map<string, number>()
const late: number[] = []
let oldestS = 0
let sent = 0
const began = performance.now()
for (let second = 0; second < seconds; second++) {
  const due = all.filter((i) => i % INTERVAL_S === second % INTERVAL_S && (turnOf.get(i) ?? 0) <= second)
  if (due.length > 0) await send(due, Date.now(), (i) => (isWarm(i) ? 8 + (second % 5) / 10 : 2))
  sent += due.length
  for (const i of due) if (isWarm(i) && !warmAt.has(idOf(i))) warmAt.set(idOf(i), Date.now())
  oldestS = Math.max(oldestS, await waiting())
  const rest = began + (second + 1) * 1_000 - performance.now()
  if (rest > 0) await sleep(rest)
  else late.push(-rest)
}
const end = Date.now() + sized(BUDGET_S, 10 * BUDGET_S) * 1_000
const found = () =>
  rows<{ box: string; at: number }>(
    "select box_id as box, extract(epoch from created_at)::float * 1000 as at from excursions where kind = 'warm'",
  )
while ((await found()).length < warmAt.size && Date.now() < end) await sleep(200)
const followed = new Map((await found()).map(({ box, at }) => [box, at]))
const delays = [...warmAt].map(([box, at]) => ((followed.get(box) ?? Infinity) - at) / 1_000)
await Promise.all(stops.map((stop) => stop()))

const s = (value: number): string => `${Math.max(0, value).toFixed(1)} s`
console.log(
  `${boxes} boxes, a reading each every ${INTERVAL_S} s for ${seconds} s: ${sent} readings, ${watchers} watchers`,
)
console.log(`${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}`)
console.log(`warm boxes: ${delays.length}, followed: ${followed.size}`)
console.log(
  `from the reading to the excursion: p50 ${s(percentile(delays, 0.5))}, p95 ${s(percentile(delays, 0.95))}, most ${s(Math.max(...delays))}`,
)
console.log(`oldest growth that waited: ${s(oldestS)}; seconds that came late: ${late.length}`)
const tooLate = sized(Math.max(...delays) > BUDGET_S, false) // the smoke test measures nothing
process.exitCode = tooLate || followed.size < delays.length ? 1 : 0
