import { setTimeout as sleep } from 'node:timers/promises'
import { budgetHead, checkBudget } from './budget.ts'
import { newProductsCsv, PRODUCTS } from './products.ts'
import { memoryMiB, type Shop } from './shop.ts'

/** Budget for importing or exporting 10,000 products. */
const FILE = { mostMs: 5_000 }
/** Budget for the latency of other requests meanwhile. */
const OTHERS = { mostMs: 200 }
/** Pause between two other requests. */
const EVERY_MS = 5

/** Prints the duration of CSV import and export of all products, and the latency of other requests meanwhile. */
export async function measureFiles(shop: Shop): Promise<void> {
  const before = await memoryMiB(shop.pid)
  budgetHead(`${PRODUCTS} products`, 'what')
  await timed(shop, 'new ones from a file', () => bringIn(shop, newProductsCsv()))
  const out = await timed(shop, 'out into a file', () => takeOut(shop))
  await timed(shop, 'the same file again', () => bringIn(shop, out))
  const dearer = out.replaceAll('.00,kg,', '.50,kg,')
  await timed(shop, 'a file with every price changed', () => bringIn(shop, dearer))
  await timed(shop, 'stock of all at once', () => restock(shop, out))
  console.log(`\nMemory before ${before} MiB, after ${await memoryMiB(shop.pid)} MiB.`)
}

async function timed<Result>(shop: Shop, name: string, work: () => Promise<Result>): Promise<Result> {
  const others = watchLatency(`${shop.url}/healthz`)
  const began = performance.now()
  const result = await work()
  checkBudget([name, 'ms'], performance.now() - began, FILE)
  checkBudget([name, 'longest wait of others, ms'], await others.stop(), OTHERS)
  return result
}

/** Sends requests until stopped; then returns the largest latency. */
function watchLatency(url: string): { stop(): Promise<number> } {
  let going = true
  const asking = (async () => {
    let slowest = 0
    while (going) {
      const began = performance.now()
      await (await fetch(url)).arrayBuffer()
      slowest = Math.max(slowest, performance.now() - began)
      await sleep(EVERY_MS)
    }
    return slowest
  })()
  return {
    stop: () => {
      going = false
      return asking
    },
  }
}

async function call({ url, key }: Shop, path: string, init: RequestInit, type = ''): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, ...(type && { 'content-type': type }) }
  const response = await fetch(url + path, { ...init, headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 300)}`)
  return text
}

const bringIn = (shop: Shop, body: string): Promise<string> =>
  call(shop, '/api/product/import', { method: 'POST', body }, 'text/csv')

const takeOut = (shop: Shop): Promise<string> => call(shop, '/api/product/export.csv', {})

function restock(shop: Shop, csv: string): Promise<string> {
  const ids = [...csv.matchAll(/^([\w-]{36}),/gm)].map(([, id]) => id)
  const body = JSON.stringify({ ids, set: { stock: 7 } })
  return call(shop, '/api/product/bulk', { method: 'POST', body }, 'application/json')
}
