/**
 * How long a visitor's browser checks a box of 500 and of 5,000 records whose readings a logger signed, and whether its page
 * stays free meanwhile: `node bench/src/check-time.ts [records …]`, after `npm run build`. Budget: 100 and 200 ms in the worker,
 * and no task of the page over 50 ms. Each visit is a new visitor's, without anything kept.
 */
import { type Browser, chromium, type Page } from 'playwright-core'
import { call, sendBatch } from './field.ts'
import { ms, row, tableHead } from './load-table.ts'
import { percentile } from './percentile.ts'
import { newSensors, type Sensor, temperatureAt, timeS } from './sensors.ts'
import { type Shop, startShop, untilIdle } from './shop.ts'
import { sized } from './sized.ts'

const VISITS = sized(9, 1)
const TIMEOUT_MS = 180_000
/** Readings that the shop takes at once. */
const BATCH = 480
/** Registration and catch. */
const OTHERS = 2
/** Readings of a statement: each by itself, as the dearest case, and as a logger sends them that wakes each hour. */
const STATEMENTS = [1, 12] as const

const named = process.argv.slice(2).map(Number)
const records = named.length > 0 ? named : sized([500, 5_000], [14])

/** Readings of a box as its logger signs them, so many in a statement. */
function signedReadings(sensor: Sensor, count: number, each: number): unknown[] {
  const messages: string[] = []
  for (let first = 1; first <= count; first += each) {
    const readings = Array.from({ length: Math.min(each, count - first + 1) }, (_, i) => ({
      timeS: timeS(first + i),
      temperature: temperatureAt(first + i),
      place: [-33.5, 151.5] as const,
    }))
    const counter = ++sensor.counter
    const bytes = sensor.logger.chained({ box: sensor.box, counter, battery: 90, readings })
    messages.push(Buffer.from(bytes).toString('hex'))
  }
  return messages.map((cose) => ({ cose }))
}

/** A box of so many records, all anchored. */
async function signedBox(shop: Shop, count: number, each: number): Promise<string> {
  const [sensor] = await newSensors(shop, 1)
  if (sensor === undefined) throw new Error('no sensor')
  const messages = signedReadings(sensor, count - OTHERS, each)
  const atOnce = Math.max(1, Math.floor(BATCH / each))
  for (let from = 0; from < messages.length; from += atOnce)
    await sendBatch(shop, messages.slice(from, from + atOnce))
  for (;;) {
    const { anchors, records: all } = JSON.parse(await call(shop, 'GET', `/api/box/${sensor.box}/proof`))
    if (anchors.at(-1)?.leaf.count === all.length && all.length >= count) return sensor.box
    await new Promise((done) => setTimeout(done, 1_000))
  }
}

/** What a page noted of its check. Times in milliseconds since it was opened. */
type Noted = {
  checks: { from: number; until: number; tookMs: number; upTo: number; signed: number }[]
  tasks: { at: number; ms: number }[]
}

/** Before the page's own script: notes when its worker is asked and answers, and tasks over 50 ms. */
function noteCheck(): void {
  const noted: Noted = { checks: [], tasks: [] }
  Object.assign(window, { noted })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) noted.tasks.push({ at: startTime, ms: duration })
  }).observe({ type: 'longtask', buffered: true })
  const Plain = window.Worker
  window.Worker = class extends Plain {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      let from = 0
      const { postMessage } = this
      this.postMessage = (...sent: unknown[]) => {
        from ||= performance.now()
        Reflect.apply(postMessage, this, sent)
      }
      this.addEventListener('message', ({ data }) => {
        if (data.type !== 'done') return
        const { tookMs, result } = data
        const times = { from, until: performance.now(), tookMs }
        noted.checks.push({ ...times, upTo: result.upTo, signed: result.signatures.sensor })
      })
    }
  }
}

type Visit = {
  tookMs: number
  wholeMs: number
  taskMs: number
  afterMs: number
  upTo: number
  signed: number
}

/** One visit of somebody who never was here. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  await using context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page: Page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  await page.addInitScript(noteCheck)
  await page.goto(url)
  await page.locator('[data-verdict=own]').waitFor()
  await page.waitForTimeout(500) // what is drawn of it, and the observer of tasks, comes after it
  const noted = await page.evaluate(() => ('noted' in window ? (window.noted as Noted) : undefined))
  const check = noted?.checks.at(-1)
  if (noted === undefined || check === undefined) throw new Error('the page noted no check')
  const { from, until, ...found } = check
  const longest = (after: number, before: number): number =>
    Math.max(0, ...noted.tasks.flatMap(({ at, ms }) => (at + ms > after && at < before ? [ms] : [])))
  return {
    ...found,
    wholeMs: until - from,
    taskMs: longest(from, until),
    afterMs: longest(until, Number.POSITIVE_INFINITY),
  }
}

const median = (visits: readonly Visit[], of: (visit: Visit) => number): string =>
  ms(percentile(visits.map(of), 0.5))
const task = (longest: number): string => (longest === 0 ? 'under 50' : ms(longest))

await using shop = await startShop({ SAMPLE_DATA: 'off', ANCHOR_INTERVAL_S: '5' })
const boxes: { box: string; count: number; each: number }[] = []
for (const count of records)
  for (const each of STATEMENTS) boxes.push({ box: await signedBox(shop, count, each), count, each })
await untilIdle(shop)
await using browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
tableHead(
  'records, all proven',
  'signed readings',
  'in a statement',
  'check in the worker, first visit, ms',
  `median of ${VISITS}`,
  'with what it fetched',
  'longest task of the page meanwhile',
  'when it is told',
)
for (const { box, count, each } of boxes) {
  const visits: Visit[] = []
  for (let i = 0; i < VISITS; i++) visits.push(await visit(browser, `${shop.url}/SFMBox/byId/${box}`))
  const [first] = visits
  if (first === undefined || first.upTo < count) throw new Error(`${first?.upTo} of ${count} were proven`)
  row(
    first.upTo,
    first.signed,
    each,
    ms(first.tookMs),
    median(visits, ({ tookMs }) => tookMs),
    median(visits, ({ wholeMs }) => wholeMs),
    task(Math.max(...visits.map(({ taskMs }) => taskMs))),
    task(Math.max(...visits.map(({ afterMs }) => afterMs))),
  )
}
