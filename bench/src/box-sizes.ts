import type { MqttClient } from 'mqtt'
import { freePort } from '../../tools/test/free-port.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { device, newBox, publish, readingsOf, sendBatch } from './field.ts'
import { ms, row, tableHead } from './load-table.ts'
import { costOf, type Shop, startShop } from './shop.ts'
import { sized } from './sized.ts'

/**
 * Prints how many readings a second a shop takes for boxes of 500, 5,000 and 50,000 records, over HTTP and MQTT, on
 * both databases: `node bench/src/box-sizes.ts [embedded or postgres] [records …]`.
 */
const named = process.argv.map(Number).filter((size) => size > 0)
const SIZES = named.length > 0 ? named : sized([500, 5_000, 50_000], [20])
const BOXES = 2
/** Readings of a batch while it is measured, and batches of each box: a box grows by 1,000 meanwhile. */
const BATCH = 50
const BATCHES = sized(20, 2)
const FILL = 1_000
/** Messages of each device, and how many of them wait for their acknowledgement at once. */
const MESSAGES = sized(400, 20)
const IN_FLIGHT = 20
const LATE = sized(20, 2)

type Filled = { box: string; next: number }

async function filled(shop: Shop, size: number): Promise<Filled> {
  const box = await newBox(shop)
  let next = 0
  for (let records = 2; records < size; ) {
    const n = Math.min(FILL, size - records - 1)
    if (n < 1) break
    await sendBatch(shop, readingsOf(box, next, n))
    next += n
    records += n + 1 // its freshness record
  }
  return { box, next }
}

async function batches(shop: Shop, filled: Filled): Promise<number> {
  let taken = 0
  for (let i = 0; i < BATCHES; i++, filled.next += BATCH)
    taken += await sendBatch(shop, readingsOf(filled.box, filled.next, BATCH))
  return taken
}

async function messages(client: MqttClient, filled: Filled): Promise<number> {
  const lane = async (): Promise<number> => {
    for (let i = 0; i < MESSAGES / IN_FLIGHT; i++) await publish(client, filled.box, filled.next++)
    return MESSAGES / IN_FLIGHT
  }
  const taken = await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  return taken.reduce((sum, one) => sum + one, 0)
}

/** Readings a thousand readings late, one per request, each half way between two existing ones. */
async function lateOnes(shop: Shop, { box, next }: Filled): Promise<number> {
  for (let i = 0; i < LATE; i++) {
    const [reading] = readingsOf(box, Math.max(0, next - 1_000) + i, 1)
    const time = new Date(Date.parse(reading?.time ?? '') + 5_000).toISOString()
    await sendBatch(shop, [{ ...reading, time }])
  }
  return LATE
}

async function measured(shop: Shop, name: string, size: number, what: string, work: () => Promise<number[]>) {
  const cost = await costOf(shop, work)
  const taken = cost.result.reduce((sum, one) => sum + one, 0)
  row(name, what, size, Math.round((taken * 1_000) / cost.ms), ms(cost.cpuMs / taken))
}

async function measureOn(place: BenchDatabase): Promise<void> {
  const port = await freePort()
  const env = { SAMPLE_DATA: 'off', MQTT_PORT: `${port}`, ANCHOR_INTERVAL_S: '3600', ...place.env }
  await using shop = await startShop(env, place.dataDir)
  const client = await device(shop, port)
  for (const size of SIZES) {
    const boxes: Filled[] = []
    for (let i = 0; i < BOXES; i++) boxes.push(await filled(shop, size))
    const all = (work: (box: Filled) => Promise<number>) => () => Promise.all(boxes.map(work))
    await measured(
      shop,
      place.name,
      size,
      `HTTP, batches of ${BATCH}`,
      all((box) => batches(shop, box)),
    )
    await measured(
      shop,
      place.name,
      size,
      `MQTT, ${IN_FLIGHT} in flight`,
      all((box) => messages(client, box)),
    )
    await measured(
      shop,
      place.name,
      size,
      'HTTP, one late reading a call',
      all((box) => lateOnes(shop, box)),
    )
  }
  await client.endAsync()
}

tableHead('on', `${BOXES} boxes at once`, 'records of each', 'readings/s', 'CPU ms of the server per reading')
for (const open of databasesNamed(process.argv)) {
  await using place = await open()
  await measureOn(place)
}
