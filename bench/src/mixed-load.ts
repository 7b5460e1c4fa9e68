import { setTimeout as wait } from 'node:timers/promises'
import { call, device, newBox, publish, readingsOf, sendBatch } from './field.ts'
import type { Shop } from './shop.ts'

const HTTP_BOXES = 10
const MQTT_BOXES = 10
/** Readings of each box in a batch. */
const IN_BATCH = 2
/** Maximum readings of a box, as many as in three days at one every ten minutes; then its sensor gets another box. */
const PER_BOX = 500
/**
 * Number of newest boxes that visitors request. It is reached after six minutes: memory is compared with that after ten,
 * and a load that still grows would look like a leak.
 */
const WATCHED_BOXES = 80

/** A sensor's box, the product that is sold from it, and the number of its next reading. */
type Sensor = { box: string; product: string; next: number }

/** Counters. */
export type Done = { pages: number; readings: number; edits: number; boxes: number; failed: number }

/**
 * Visitors on ever different pages, readings by HTTP and MQTT, edits and registrations, until `stop` is aborted: about
 * 25 requests and 30 readings a second, if the machine is fast enough.
 */
export async function mixedLoad(shop: Shop, mqttPort: number, done: Done, stop: AbortSignal): Promise<void> {
  const products = await onSale(shop)
  const boxes: string[] = []
  const sell = (box: string, products: readonly string[]): Promise<string> =>
    call(
      shop,
      'PUT',
      `/api/box/${box}/products`,
      products.map((product_id) => ({ product_id, quantity: 1 })),
    )
  const newSensor = async (product: string, next: number): Promise<Sensor> => {
    const box = await newBox(shop)
    await sell(box, [product])
    boxes.push(box)
    return { box, product, next }
  }
  const goOn = async (sensor: Sensor): Promise<Sensor> => {
    if (sensor.next < PER_BOX) return sensor
    await sell(sensor.box, [])
    return newSensor(sensor.product, 0)
  }
  const all: Sensor[] = []
  for (let i = 0; i < HTTP_BOXES + MQTT_BOXES; i++)
    all.push(await newSensor(products[i % products.length] ?? '', (i % 10) * (PER_BOX / 10)))
  const [sensors, loggers] = [all.slice(0, HTTP_BOXES), all.slice(HTTP_BOXES)]
  const client = await device(shop, mqttPort)
  const again = (everyMs: number, work: (turn: number) => Promise<void>): Promise<void> =>
    repeat(everyMs, stop, done, work)
  await Promise.all([
    ...[0, 1, 2, 3].map((visitor) =>
      again(160, async (turn) => {
        await visit(shop, addressOf(turn * 4 + visitor, products, boxes))
        done.pages++
      }),
    ),
    again(1_000, async () => {
      for (const [i, sensor] of sensors.entries()) sensors[i] = await goOn(sensor)
      const batch = sensors.flatMap(({ box, next }) => readingsOf(box, next, IN_BATCH))
      done.readings += await sendBatch(shop, batch)
      for (const sensor of sensors) sensor.next += IN_BATCH
    }),
    ...loggers.map((first) => {
      let logger = first
      return again(1_000, async () => {
        logger = await goOn(logger)
        await publish(client, logger.box, logger.next)
        logger.next++
        done.readings++
      })
    }),
    again(1_000, async (turn) => {
      const id = products[turn % products.length]
      await call(shop, 'PATCH', `/api/product/${id}`, { stock: turn % 1_000, price: 10 + (turn % 90) })
      done.edits++
    }),
    again(6_000, async () => {
      boxes.push(await newBox(shop))
      while (boxes.length > WATCHED_BOXES) boxes.shift()
      done.boxes++
    }),
  ])
  await client.endAsync()
}

/** The ids of the products on sale. */
async function onSale(shop: Shop): Promise<string[]> {
  const found: { _id: string }[] = JSON.parse(await call(shop, 'GET', '/api/product/active'))
  return found.map(({ _id }) => _id)
}

/** A different URL on every call: lists, new searches, products, boxes with their proofs. */
function addressOf(turn: number, products: readonly string[], boxes: readonly string[]): string {
  const product = products[turn % products.length]
  const box = boxes[Math.floor(turn / 8) % boxes.length]
  const all = [
    '/',
    `/?visit=${turn}`,
    `/product?q=fish+${turn}`,
    `/product/${product}`,
    `/SFMBox/byId/${box}`,
    `/api/box/${box}/proof`,
    `/product?sort=freshest&min=${turn % 50}`,
    '/api/product/active',
  ]
  return all[turn % all.length] ?? '/'
}

async function visit({ url }: Shop, path: string): Promise<void> {
  const response = await fetch(url + path, { signal: AbortSignal.timeout(30_000) })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
}

/** Runs work at an interval, or as often as it can; failures are printed and counted. */
async function repeat(
  everyMs: number,
  stop: AbortSignal,
  done: Done,
  work: (turn: number) => Promise<void>,
): Promise<void> {
  for (let turn = 0; !stop.aborted; turn++) {
    const next = wait(everyMs)
    await work(turn).catch((error: unknown) => {
      done.failed++
      console.error(error instanceof Error ? error.message : error)
    })
    await next
  }
}
