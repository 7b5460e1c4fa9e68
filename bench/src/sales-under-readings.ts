import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../tools/test/free-port.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { call, device, newBox, publish } from './field.ts'
import { load } from './load.ts'
import { row, tableHead } from './load-table.ts'
import { withProducts } from './products.ts'
import { type Shop, startShop, untilIdle } from './shop.ts'
import { sized } from './sized.ts'

/**
 * Prints how many pages and lists a second a shop serves while readings of boxes on sale arrive, and without them, in
 * turn: `node bench/src/sales-under-readings.ts [embedded or postgres]`. Goal: within 20 %.
 */
const SENSORS = sized(50, 3)
const EVERY_MS = 1_000
const ROUNDS = sized(3, 1)

/** Boxes on sale, distributed over the products. */
async function boxesOnSale(shop: Shop): Promise<string[]> {
  const products: { _id: string }[] = JSON.parse(await call(shop, 'GET', '/api/product/active'))
  const boxes: string[] = []
  for (let i = 0; i < SENSORS; i++) {
    const box = await newBox(shop)
    const product_id = products[i % products.length]?._id
    await call(shop, 'PUT', `/api/box/${box}/products`, [{ product_id, quantity: 1 }])
    boxes.push(box)
  }
  return boxes
}

/** Every box gets a reading a second while `work` runs. Returns the readings a second that arrived. */
async function whileReading<T>(
  send: (sensor: number) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<{ result: T; perSecond: number }> {
  const stop = new AbortController()
  let sent = 0
  const began = performance.now()
  const sensors = Array.from({ length: SENSORS }, async (_, sensor) => {
    await wait((sensor * EVERY_MS) / SENSORS)
    while (!stop.signal.aborted) {
      const next = wait(EVERY_MS)
      await send(sensor)
      sent++
      await next
    }
  })
  const result = await work()
  stop.abort()
  const perSecond = Math.round((sent * 1_000) / (performance.now() - began))
  await Promise.all(sensors)
  return { result, perSecond }
}

const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length

async function measureOn(place: BenchDatabase): Promise<void> {
  const port = await freePort()
  const env = { MQTT_PORT: `${port}`, ANCHOR_INTERVAL_S: '5', ...place.env, ...(await withProducts(place)) }
  await using shop = await startShop(env, place.dataDir)
  const boxes = await boxesOnSale(shop)
  await untilIdle(shop)
  const client = await device(shop, port)
  const turns = new Array<number>(SENSORS).fill(0)
  const send = async (sensor: number): Promise<void> => {
    turns[sensor] = (turns[sensor] ?? 0) + 1
    await publish(client, boxes[sensor] ?? '', turns[sensor] ?? 0)
  }
  for (const path of ['/', '/api/product/active']) {
    const [without, beside, arrived]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      without.push((await load(shop.url + path)).perSecond)
      const { result, perSecond } = await whileReading(send, () => load(shop.url + path))
      beside.push(result.perSecond)
      arrived.push(perSecond)
    }
    const share = (100 * mean(beside)) / mean(without)
    row(
      place.name,
      path,
      Math.round(mean(without)),
      Math.round(mean(beside)),
      Math.round(mean(arrived)),
      `${share.toFixed(0)} %`,
      share >= 80 ? 'met' : '**missed**',
    )
  }
  await client.endAsync()
}

tableHead('on', 'what', 'a second without', 'with readings', 'readings a second', 'share', 'of 80 %')
for (const open of databasesNamed(process.argv)) {
  await using place = await open()
  await measureOn(place)
}
