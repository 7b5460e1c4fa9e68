/**
 * What traces cost: `node bench/src/traces.ts [share] [embedded] [postgres]`. Processor time a request of three shops in this
 * process, asked in turns: one with tracing off, another like it, and one that records `share` of its traces, all unless told
 * otherwise. What the first two differ by is the machine's, and none of it depends on another build.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { openLog } from '../../server/src/config/log.ts'
import { buildDeps } from '../../server/src/deps.ts'
import { startTelemetry, stopTelemetry } from '../../server/src/tracing/telemetry.ts'
import { type Tracing, useTracing } from '../../server/src/tracing/trace.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { row, tableHead } from './load-table.ts'
import { percentile } from './percentile.ts'
import { sized } from './sized.ts'

const words = process.argv.slice(2)
const share = words.find((word) => /^[\d.]+$/.test(word)) ?? '1'
const ROUNDS = sized(21, 1)
/** Of one turn, so many that nothing of what they record is dropped. */
const REQUESTS = sized(400, 5)
/** In every turn, for what was recorded to be sent. */
const SEND_MS = 100
const PATHS = ['/api/slot', '/api/product/active'] as const
const COLLECTOR = 'collector'

type Shop = { name: string; ask: (path: string) => Promise<void>; tracing: Tracing | undefined }

/** In a process of its own, so that what it costs is not counted: takes what it is sent. */
function collect(): void {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end())
  }).listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.(typeof address === 'object' ? address?.port : undefined)
  })
  process.once('disconnect', () => process.exit(0))
}

/** A shop as its web process is built, without what runs beside it. Whether it is traced is settled when it is built. */
async function shopOn(place: BenchDatabase, opened: AsyncDisposableStack): Promise<Shop['ask']> {
  const pages = join(place.dataDir, 'no-pages')
  await mkdir(join(pages, 'client'), { recursive: true })
  const { dataDir: DATA_DIR } = place
  const config = readConfig({ ...place.env, DATA_DIR, WEB_DIST: pages, LOG_LEVEL: 'silent' })
  const database = await place.open()
  opened.defer(() => database.close())
  const deps = await buildDeps(config, openLog('silent'), database)
  opened.defer(() => deps.chain.close())
  opened.defer(() => deps.images.close())
  opened.defer(() => deps.mailer.close())
  const app = await buildApp(deps)
  opened.defer(() => app.close())
  return async (path) => {
    const { statusCode } = await app.inject(path)
    assert.equal(statusCode, 200, path)
  }
}

/** Microseconds of the processor a request, in a turn. */
async function turn({ ask, tracing }: Shop, path: string): Promise<number> {
  useTracing(tracing)
  const before = process.cpuUsage()
  for (let i = 0; i < REQUESTS; i++) await ask(path)
  await sleep(2 * SEND_MS)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / REQUESTS
}

async function measure(open: () => Promise<BenchDatabase>, collector: string): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const place = async (): Promise<BenchDatabase> => opened.use(await open())
  const off = await shopOn(await place(), opened)
  const again = await shopOn(await place(), opened)
  await startTelemetry(
    readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: share,
      OTEL_BSP_SCHEDULE_DELAY: String(SEND_MS),
    }),
  )
  opened.defer(() => stopTelemetry())
  const third = await place()
  const on = await shopOn(third, opened)
  const shops: Shop[] = [
    { name: 'off', ask: off, tracing: undefined },
    { name: 'off, another', ask: again, tracing: undefined },
    { name: `${share} of all`, ask: on, tracing: useTracing(undefined) },
  ]
  for (const path of PATHS) {
    const taken = new Map<Shop, number[]>(shops.map((shop) => [shop, []]))
    for (const shop of shops) await turn(shop, path) // does not count
    for (let round = 0; round < ROUNDS; round++)
      for (let i = 0; i < shops.length; i++) {
        const shop = shops[(round + i) % shops.length]
        if (shop) taken.get(shop)?.push(await turn(shop, path))
      }
    const first = percentile(taken.get(shops[0] as Shop) ?? [], 0.5)
    for (const [{ name }, µs] of taken) {
      const median = percentile(µs, 0.5)
      row(third.name, path, name, Math.round(median), `${Math.round((100 * median) / first)} %`)
    }
  }
}

if (words[0] === COLLECTOR) collect()
else {
  const collector = fork(import.meta.filename, [COLLECTOR], { stdio: 'inherit' })
  const [port] = (await once(collector, 'message')) as [number]
  tableHead('database', 'request', 'traces', 'processor, µs', 'of off')
  for (const open of databasesNamed(words)) await measure(open, `http://127.0.0.1:${port}`)
  collector.disconnect()
  process.exit(0)
}
