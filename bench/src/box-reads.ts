import { databasesNamed } from './databases.ts'
import { newBox, readingsOf, sendBatch } from './field.ts'
import { ms, row, tableHead } from './load-table.ts'
import { percentile } from './percentile.ts'
import { cpuMs, type Shop, startShop } from './shop.ts'
import { sized } from './sized.ts'

/**
 * Prints how long each answer about a box of 500, 5,000 and 50,000 records takes, just after the box grew and when it
 * did not grow since: `node bench/src/box-reads.ts [embedded or postgres] [records …]`.
 */
const named = process.argv.map(Number).filter((size) => size > 0)
const SIZES = named.length > 0 ? named : sized([500, 5_000, 50_000], [20])
const FILL = 1_000
/** Records that are read at least for a figure, so that small boxes are read more often. */
const READ = sized(20_000, 40)
const MAX_READS = 20

const calls = [
  ['whole Box', (boxID: string) => `/api/box/${boxID}`],
  ['its page’s data', (boxID: string) => `/api/box/${boxID}/page`],
  ['proof', (boxID: string) => `/api/box/${boxID}/proof`],
  ['page', (boxID: string) => `/SFMBox/byId/${boxID}`],
] as const

/** Readings until the box has so many records, one more for the fisher, the catch and each batch's freshness. */
async function fill(shop: Shop, box: string, size: number): Promise<number> {
  let next = 0
  for (let records = 2; records + 2 <= size; ) {
    const n = Math.min(FILL, size - records - 1)
    await sendBatch(shop, readingsOf(box, next, n))
    next += n
    records += n + 1
  }
  return next
}

type Times = { ms: number[]; cpuMs: number }

async function timed(shop: Shop, path: string, into: Times): Promise<void> {
  const cpu = await cpuMs(shop.pid)
  const began = performance.now()
  const answer = await fetch(shop.url + path, { headers: { 'accept-encoding': 'br' } })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
  into.ms.push(performance.now() - began)
  into.cpuMs += (await cpuMs(shop.pid)) - cpu
}

const median = (times: Times): number => percentile(times.ms, 0.5)

async function measureSize(shop: Shop, name: string, size: number): Promise<void> {
  const box = await newBox(shop)
  let next = await fill(shop, box, size)
  const reads = Math.min(MAX_READS, Math.max(3, Math.ceil(READ / size)))
  const times = calls.map(() => ({ grown: { ms: [], cpuMs: 0 }, same: { ms: [], cpuMs: 0 } }))
  for (let i = 0; i < reads; i++) {
    await sendBatch(shop, readingsOf(box, next++, 1))
    for (const [c, [, path]] of calls.entries()) await timed(shop, path(box), times[c]?.grown as Times)
  }
  for (const [c, [what, path]] of calls.entries()) {
    const { grown, same } = times[c] as { grown: Times; same: Times }
    await fetch(shop.url + path(box))
    for (let i = 0; i < reads; i++) await timed(shop, path(box), same)
    row(
      name,
      size,
      what,
      ms(median(grown)),
      ms(grown.cpuMs / reads),
      ms(median(same)),
      ms(same.cpuMs / reads),
    )
  }
}

tableHead('on', 'records', 'answer', 'grown: ms', 'CPU ms', 'the same: ms', 'CPU ms')
for (const open of databasesNamed(process.argv)) {
  await using place = await open()
  const env = { SAMPLE_DATA: 'off', ANCHOR_INTERVAL_S: '3600', ...place.env }
  await using shop = await startShop(env, place.dataDir)
  for (const size of SIZES) await measureSize(shop, place.name, size)
}
process.exit(0)
