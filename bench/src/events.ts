/**
 * How long a record takes to open pages: `node bench/src/events.ts [pages] [records]`. The pages follow one box of a
 * built shop with embedded parts, from so many networks as a proxy would tell; half a second lies between two readings.
 * The delay is from before a reading is sent to when a page has received it. Budget: 1 s, 95th percentile.
 */

import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { budgetHead, checkBudget } from './budget.ts'
import { call, newBox, readingsOf } from './field.ts'
import { percentile } from './percentile.ts'
import { startShop } from './shop.ts'
import { sized } from './sized.ts'

const PAGES_PER_NETWORK = 10
const BETWEEN_MS = 500

const pages = Number(process.argv[2] ?? sized(500, 5))
const records = Number(process.argv[3] ?? sized(40, 2))

await using shop = await startShop({ SAMPLE_DATA: 'off', TRUSTED_PROXIES: 'loopback' })
const boxID = await newBox(shop)
const heard = new Map<string, number[]>()

/** Follows the box, and notes when each reading comes. Resolves when it has begun. */
const follow = (page: number): Promise<void> =>
  new Promise((begun, failed) => {
    const network = Math.floor(page / PAGES_PER_NETWORK)
    const headers = { 'x-forwarded-for': `203.0.${network >> 8}.${network & 255}` }
    get(`${shop.url}/api/box/${boxID}/events`, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) failed(new Error(`page ${page}: ${response.statusCode}`))
      begun()
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        const at = performance.now()
        text += part
        const whole = text.lastIndexOf('\n\n')
        for (const [, time = ''] of text
          .slice(0, whole + 1)
          .matchAll(/"time":"([^"]+)"[^}]*\},"kind":"tracking"/g))
          heard.get(time)?.push(at)
        text = text.slice(whole + 1)
      })
      response.on('error', () => undefined) // the shop ends
    }).on('error', failed)
  })

await Promise.all(Array.from({ length: pages }, (_, page) => follow(page)))
const delays: number[] = []
for (const reading of readingsOf(boxID, 0, records)) {
  heard.set(reading.time, [])
  const sent = performance.now()
  await call(shop, 'POST', '/api/tracking', { readings: [reading] })
  await sleep(BETWEEN_MS)
  while ((heard.get(reading.time)?.length ?? 0) < pages) await sleep(10)
  delays.push(...(heard.get(reading.time) ?? []).map((at) => at - sent))
}
const at = (share: number): number => percentile(delays, share)
budgetHead('open pages', 'a record is heard')
checkBudget([pages, `median of ${delays.length}`], at(0.5), { mostMs: 1_000 })
checkBudget([pages, '95th percentile'], at(0.95), { mostMs: 1_000 })
checkBudget([pages, 'slowest'], at(1), { mostMs: 5_000 })
