import { setTimeout as wait } from 'node:timers/promises'
import { call, device, newBox, publish, readingsOf, sendBatch } from './field.ts'
import type { Shop } from './shop.ts'

const HTTP_BOXES = 10
const MQTT_BOXES = 10
/** Readings of each box in a batch. */
const IN_BATCH = 2
/** Boxes that visitors look at; those registered longest ago are left to themselves. */
const LOOKED_AT = 200

/** What was done so far. */
export type Done = { pages: number; readings: number; edits: number; boxes: number; failed: number }

/**
 * Visitors over ever different pages, readings by HTTP and MQTT, edits and registrations, until `stop` is aborted:
 * some 25 requests and 30 readings a second where the machine is quick enough.
 */
export async function mixedLoad(shop: Shop, mqttPort: number, done: Done, stop: AbortSignal): Promise<void> {
  const boxes: string[] = []
  for (let i = 0; i < HTTP_BOXES + MQTT_BOXES; i++) boxes.push(await newBox(shop))
  const products = await putOnSale(shop, boxes)
  const client = await device(shop, mqttPort)
  const again = (everyMs: number, work: (turn: number) => Promise<void>): Promise<void> =>
    repeat(everyMs, stop, done, work)
  const sensors = boxes.slice(0, HTTP_BOXES)
  const loggers = boxes.slice(HTTP_BOXES, HTTP_BOXES + MQTT_BOXES)
  await Promise.all([
    ...[0, 1, 2, 3].map((visitor) =>
      again(160, async (turn) => {
        await visit(shop, addressOf(turn * 4 + visitor, products, boxes))
        done.pages++
      }),
    ),
    again(1_000, async (turn) => {
      const batch = sensors.flatMap((box) => readingsOf(box, turn * IN_BATCH, IN_BATCH))
      done.readings += await sendBatch(shop, batch)
    }),
    ...loggers.map((box) =>
      again(1_000, async (turn) => {
        await publish(client, box, turn)
        done.readings++
      }),
    ),
    again(1_000, async (turn) => {
      const id = products[turn % products.length]
      await call(shop, 'PATCH', `/api/product/${id}`, { stock: turn % 1_000, price: 10 + (turn % 90) })
      done.edits++
    }),
    again(6_000, async () => {
      boxes.push(await newBox(shop))
      if (boxes.length > LOOKED_AT) boxes.splice(HTTP_BOXES + MQTT_BOXES, 1)
      done.boxes++
    }),
  ])
  await client.endAsync()
}

/** Links the boxes to the products on sale, so that their readings show on cards. Answers the products' ids. */
async function putOnSale(shop: Shop, boxes: readonly string[]): Promise<string[]> {
  const found: { _id: string }[] = JSON.parse(await call(shop, 'GET', '/api/product/active'))
  const ids = found.map(({ _id }) => _id)
  for (const [i, box] of boxes.entries())
    await call(shop, 'PUT', `/api/box/${box}/products`, [{ product_id: ids[i % ids.length], quantity: 1 }])
  return ids
}

/** Another address at every turn: lists, searches nobody made before, products, boxes with their proofs. */
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

/** Works every so many milliseconds, or as often as it can; a failure is told, counted and gone past. */
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
