import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../tools/test/free-port.ts'
import { databasesNamed } from './databases.ts'
import { row, tableHead } from './load-table.ts'
import { type Done, mixedLoad } from './mixed-load.ts'
import { memoryMiB, startShop } from './shop.ts'
import { endSmoke } from './sized.ts'

/**
 * Mixed load on the built shop for some time, to check its memory: `npm run soak -- [minutes] [embedded or postgres]`, by
 * default an hour on the embedded database. With DATABASE_URL it runs on that database. The exit status is 1 when memory
 * grew or anything failed.
 */
const [minutesText = '60', where = 'embedded'] = process.argv.slice(2)
const minutes = Number(minutesText)
if (!(minutes >= 2) || !['embedded', 'postgres'].includes(where))
  throw new Error('Please say: npm run soak -- [minutes, at least 2] [embedded or postgres]')

endSmoke()

/** Warm-up in minutes, in which caches fill; half of a shorter run. */
const WARM_UP = Math.min(10, Math.floor(minutes / 2))
/** Maximum memory at the end, relative to that after the warm-up. */
const MAX_GROWTH = 1.1
const SAMPLE_MS = 5_000

const [openPlace] = databasesNamed([where])
if (openPlace === undefined) throw new Error('unknown database: use embedded or postgres')
await using place = await openPlace()
const mqttPort = await freePort()
await using shop = await startShop(
  { ANCHOR_INTERVAL_S: '5', MQTT_PORT: `${mqttPort}`, ...place.env },
  place.dataDir,
)
const done: Done = { pages: 0, readings: 0, edits: 0, boxes: 0, failed: 0 }
const stop = new AbortController()
const load = mixedLoad(shop, mqttPort, done, stop.signal)
load.catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})

/** Metrics of `/metrics` in bytes, converted to MiB. */
async function metricsMiB(...names: string[]): Promise<number[]> {
  const text = await (await fetch(`${shop.url}/metrics`)).text()
  return names.map((name) =>
    Math.round(Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN) / 2 ** 20),
  )
}

/** Mean and largest memory of one minute in MiB. */
async function oneMinute(): Promise<{ mean: number; most: number }> {
  const looks: number[] = []
  for (const end = performance.now() + 60_000; performance.now() < end; ) {
    await wait(SAMPLE_MS)
    looks.push(await memoryMiB(shop.pid))
  }
  return {
    mean: Math.round(looks.reduce((sum, look) => sum + look, 0) / looks.length),
    most: Math.max(...looks),
  }
}

console.log(
  `${minutes} minutes of mixed load, ${process.env.DATABASE_URL === undefined ? place.name : 'DATABASE_URL'}, ${new Date().toISOString()}`,
)
tableHead(
  'minute',
  'memory MiB',
  'most',
  'objects',
  'buffers',
  'pages and calls',
  'readings',
  'edits',
  'boxes',
  'failed',
)
const means: number[] = []
for (let minute = 1; minute <= minutes; minute++) {
  const { mean, most } = await oneMinute()
  means.push(mean)
  const [objects = 0, buffers = 0] = await metricsMiB(
    'nodejs_heap_size_used_bytes',
    'nodejs_external_memory_bytes',
  )
  row(minute, mean, most, objects, buffers, done.pages, done.readings, done.edits, done.boxes, done.failed)
}
stop.abort()
await load
const [warm = 0, last = 0] = [means[WARM_UP - 1], means.at(-1)]
const held = last <= MAX_GROWTH * warm && done.failed === 0
console.log(
  `\nMinute ${WARM_UP}: ${warm} MiB. At the end: ${last} MiB, ${((100 * last) / warm).toFixed(0)} %; at most 110 %. ${held ? 'Met' : 'Missed'}.`,
)
process.exitCode = held ? 0 : 1
