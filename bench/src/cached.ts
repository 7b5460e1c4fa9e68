/**
 * What an answer from memory costs: `node bench/src/cached.ts [rounds]`, after `npm run build`. Processor time a response of
 * a built shop beside that of a bare Node server, in a process of its own, that sends the same bytes with the same headers;
 * the share is what the shop would reach of its requests a second. Budget: 75 %.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { budgetHead, checkBudget } from './budget.ts'
import { databasesNamed } from './databases.ts'
import { load } from './load.ts'
import { withProducts } from './products.ts'
import { startShop, untilIdle } from './shop.ts'
import { sized } from './sized.ts'

const rounds = Number(process.argv[2] ?? sized(3, 1))
const CONNECTIONS = 20
const PAGES = ['/api/product/active', '/', '/product'] as const
const CODINGS = ['identity', 'br'] as const

type Answer = { headers: Record<string, string>; body: string }

/** In a process of its own: sends what it is told, on a port that it tells. */
function serveBare(): void {
  process.once('message', ({ headers, body }: Answer) => {
    const bytes = Buffer.from(body, 'base64')
    const server = createServer((_request, response) => {
      response.writeHead(200, headers)
      response.end(bytes)
    }).listen(0, '127.0.0.1', () => {
      const address = server.address()
      process.send?.(typeof address === 'object' ? address?.port : undefined)
    })
  })
}

function answerOf(url: string, coding: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  get(url, { headers: { 'accept-encoding': coding } }, async (response) => {
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part)
    const named = Object.entries(response.headers).filter(
      ([name]) => !/^(date|connection|keep-alive)$/.test(name),
    )
    resolve({
      headers: Object.fromEntries(named.map(([name, value]) => [name, String(value)])),
      body: Buffer.concat(parts).toString('base64'),
    })
  }).on('error', reject)
  return promise
}

async function measure(): Promise<void> {
  const [open] = databasesNamed(['embedded'])
  assert.ok(open)
  await using place = await open()
  const env = { ANCHOR_INTERVAL_S: '86400', MQTT_PORT: '0', ...(await withProducts(place)) }
  await using shop = await startShop(env, place.dataDir)
  await untilIdle(shop)
  budgetHead('from memory', 'coding', 'shop, µs', 'bare server, µs')
  for (const path of PAGES)
    for (const coding of CODINGS) {
      const url = shop.url + path
      for (let i = 0; i < 3; i++) await answerOf(url, coding) // a page is kept from its second request on
      const bare = fork(import.meta.filename, ['bare'], { stdio: 'inherit' })
      bare.send(await answerOf(url, coding))
      const [port] = (await once(bare, 'message')) as [number]
      const headers = { 'accept-encoding': coding }
      const [ours, best]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round++) {
        ours.push((await load(url, headers, CONNECTIONS, shop.pid)).cpuMs)
        best.push((await load(`http://127.0.0.1:${port}`, headers, CONNECTIONS, bare.pid)).cpuMs)
      }
      bare.kill()
      const [shopMs, bareMs] = [Math.min(...ours), Math.min(...best)]
      const µs = (of: number): string => (of * 1_000).toFixed(0)
      checkBudget([path, coding, µs(shopMs), µs(bareMs)], (100 * bareMs) / shopMs, { leastPercent: 75 })
    }
}

if (process.argv[2] === 'bare') serveBare()
else {
  await measure()
  process.exit(0)
}
