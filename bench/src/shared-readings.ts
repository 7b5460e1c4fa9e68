/**
 * Readings of an outside broker, taken by one process and by three: `MOSQUITTO=/usr/sbin/mosquitto node
 * bench/src/shared-readings.ts [readings] [boxes]`, after `npm run build`. As PostgreSQL commits here, and with 5 ms added to
 * each commit, as a standby or a slow disk does: a trigger that sleeps at its end. Goals: with the 5 ms three take at least
 * 1.8 times as many a second as one; without, a reading costs them at most 1.1 times the processor time. Throws when one is
 * lost, doubled or refused.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openMosquitto, withoutMosquitto } from '../../server/src/testing/mosquitto.ts'
import { budgetHead, checkBudget } from './budget.ts'
import { databasesNamed } from './databases.ts'
import { newBox, readingsOf } from './field.ts'
import { row, tableHead } from './load-table.ts'
import { startShops } from './order-rush/shops.ts'
import { cpuMs } from './shop.ts'
import { sized } from './sized.ts'

const [readings = sized(12_000, 48), boxes = sized(400, 4)] = process.argv.slice(2).map(Number)
const COUNTS = sized([1, 3], [2])
const DELAYS_MS = sized([0, 5], [5])
const PUBLISHERS = 8
const SHARES = 6

type Figures = { perSecond: number; cpuMs: number }

/** What the metrics of all processes say of readings and shares. */
async function sumOf(urls: readonly string[]) {
  const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()))
  const sum = (name: RegExp): number =>
    texts.reduce((all, text) => all + Number(name.exec(text)?.[1] ?? Number.NaN), 0)
  return {
    shares: sum(/^befaqt_mqtt_shares\{way="shared"\} (\d+)$/m),
    up: sum(/^befaqt_mqtt_up (\d)$/m),
    accepted: sum(/^befaqt_readings_total\{outcome="accepted"\} (\d+)$/m),
    refused: sum(/^befaqt_readings_total\{outcome="refused"\} (\d+)$/m),
  }
}

async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (isSo(answer)) return answer
    await wait(500)
  }
}

/** Each publishes its part of the readings, so many under way as the broker takes. */
async function publishAll(broker: Awaited<ReturnType<typeof openMosquitto>>, ids: readonly string[]) {
  const each = Math.ceil(readings / ids.length)
  const all = ids.flatMap((box) => readingsOf(box, 0, each)).slice(0, readings)
  // A box's readings come far apart, as those of many loggers do.
  const mixed = all.map((_, i) => all[(i * 7_919) % all.length] ?? all[0])
  await Promise.all(
    Array.from({ length: PUBLISHERS }, async (_, publisher) => {
      const client = await broker.device()
      const own = mixed.filter((_, i) => i % PUBLISHERS === publisher)
      await Promise.all(
        own.map(({ box, ...reading } = { box: '' } as never) =>
          client.publishAsync(`befaqt/${box}/tracking`, JSON.stringify(reading), { qos: 1 }),
        ),
      )
      await client.endAsync()
    }),
  )
}

async function measure(count: number, delayMs: number): Promise<Figures> {
  const [open] = databasesNamed(['postgres'], { crashes: true })
  if (open === undefined) throw new Error('no database')
  await using place = await open()
  await using broker = await openMosquitto()
  const env = { ...place.env, MQTT_URL: broker.url, ANCHOR_INTERVAL_S: '86400' }
  await using shops = await startShops({ ...place, env }, count)
  const key = (await readFile(join(place.dataDir, 'operator.key'), 'utf8')).trim()
  const urls = shops.webs.map(({ url }) => url)
  const ids: string[] = []
  for (let i = 0; i < boxes; i++) ids.push(await newBox({ url: urls[0] ?? '', key }))
  const database = new pg.Client({ connectionString: place.env.DATABASE_URL })
  await database.connect()
  if (delayMs > 0)
    await database.query(`
      create function slow_commit() returns trigger language plpgsql as
        $$ begin perform pg_sleep(${delayMs / 1_000}); return null; end $$;
      create constraint trigger slow_commit after insert on events deferrable initially deferred
        for each row execute function slow_commit()`)
  const ask = () => sumOf(urls)
  const used = async (): Promise<number> =>
    (await Promise.all(shops.webs.map(({ pid }) => cpuMs(pid ?? 0)))).reduce((all, own) => all + own, 0)
  await until(ask, ({ shares, up }) => shares === SHARES && up === count)
  const [cpuBefore, began] = [await used(), performance.now()]
  await publishAll(broker, ids)
  // In the database, since a process refuses who asks for its metrics too often.
  const stored = async (): Promise<number> => {
    const { rows } = await database.query(`select count(*)::int as n from records where kind = 'tracking'`)
    return rows[0]?.n
  }
  await until(stored, (n) => n >= readings)
  const [ms, cpu] = [performance.now() - began, (await used()) - cpuBefore]
  const n = await stored()
  await database.end()
  const { accepted, refused } = await until(ask, (sum) => !Number.isNaN(sum.refused))
  if (n !== readings || accepted !== readings || refused > 0)
    throw new Error(`${n} of ${readings} readings are stored, ${accepted} were accepted, ${refused} refused`)
  return { perSecond: (readings * 1_000) / ms, cpuMs: cpu / readings }
}

if (withoutMosquitto) {
  console.log(`Nothing is measured. ${withoutMosquitto}; an MQTT 5 broker is needed.`)
  process.exit(0)
}
const found = new Map<string, Figures>()
tableHead('ms added to a commit', 'processes', 'readings/s', 'processor ms a reading')
for (const delayMs of DELAYS_MS)
  for (const count of COUNTS) {
    const figures = await measure(count, delayMs)
    found.set(`${delayMs} ${count}`, figures)
    row(delayMs, count, Math.round(figures.perSecond), figures.cpuMs.toFixed(2))
  }
const [one, three] = [found.get('0 1'), found.get('0 3')]
const [slowOne, slowThree] = [found.get('5 1'), found.get('5 3')]
if (one && three && slowOne && slowThree) {
  budgetHead('three processes against one')
  checkBudget(['readings/s, 5 ms added'], (100 * slowThree.perSecond) / slowOne.perSecond, {
    leastPercent: 180,
  })
  checkBudget(['readings per processor time'], (100 * one.cpuMs) / three.cpuMs, { leastPercent: 91 })
}
process.exit(0)
