/**
 * A stream of signed readings at QoS 1 while what carries it fails: `node bench/src/signed-stream.ts [readings] [embedded]
 * [postgres] [mosquitto] [undisturbed]`, after `npm run build`. 50,000 readings of 50 loggers unless told otherwise, eight
 * under way of each. Connections are cut, the shop and PostgreSQL are killed, four times each. `mosquitto`: through a
 * broker outside, of the program in MOSQUITTO, which is killed as well. Throws when one is lost, doubled, refused, or stands
 * elsewhere in its box than it was sent.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cuttableLink } from '../../server/src/testing/cuttable-link.ts'
import { checkStored, type LoggerStream, streamAll } from '../../server/src/testing/logger-stream.ts'
import { type Mosquitto, openMosquitto } from '../../server/src/testing/mosquitto.ts'
import { freePort } from '../../tools/test/free-port.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { call } from './field.ts'
import { row, tableHead } from './load-table.ts'
import { startShops } from './order-rush/shops.ts'
import { newSensors, signed, timeS } from './sensors.ts'
import { sized } from './sized.ts'

const LOGGERS = sized(50, 3)
const IN_FLIGHT = 8
const ROUNDS = sized(4, 0)
/** Mosquitto writes what it acknowledged to disk every second. */
const BROKER_FORGETS_MS = 5_000
const AWAY_MS = 500
const STORED_MS = 400_000

const words = process.argv.slice(2)
const readings = Number(words.find((word) => /^\d+$/.test(word)) ?? sized(50_000, 30))
const each = Math.ceil(readings / LOGGERS)

/** Runs the faults one after the other, evenly over what is acknowledged. Answers how many there were. */
async function disturb(faults: readonly (() => Promise<void>)[], share: () => number): Promise<number> {
  const all = words.includes('undisturbed') ? [] : Array.from({ length: ROUNDS }, () => faults).flat()
  for (const [i, fault] of all.entries()) {
    while (share() <= (i + 0.5) / all.length) await wait(5)
    await fault()
  }
  return all.length
}

/** Waits until the shop has stored the last reading of each logger, which the broker outside may still hold. */
async function untilStored(shop: { url: string; key: string }): Promise<void> {
  const late = performance.now() + STORED_MS
  for (;;) {
    const found = JSON.parse(await call(shop, 'GET', '/api/device?size=100'))
    const isBehind = ({ last }: { last: { readingAt: string } | null }): boolean =>
      last === null || Date.parse(last.readingAt) < timeS(each) * 1_000
    const behind = found.rows.filter(isBehind)
    if (found.total === LOGGERS && behind.length === 0) return
    if (performance.now() > late) throw new Error(`${behind.length} loggers wait for their last reading`)
    await wait(500)
  }
}

async function stream(place: BenchDatabase, broker: Mosquitto | undefined): Promise<void> {
  const port = broker === undefined ? await freePort() : Number(new URL(broker.url).port)
  const mqtt = broker === undefined ? { MQTT_PORT: String(port) } : { MQTT_URL: broker.url }
  const env = { ...place.env, ...mqtt, ANCHOR_INTERVAL_S: '5' }
  const loggers: LoggerStream[] = []
  let [sent, faults, seconds] = [0, 0, 0]
  {
    await using shops = await startShops({ ...place, env }, 1)
    const [web] = shops.webs
    if (web === undefined) throw new Error('no shop')
    const key = (await readFile(join(place.dataDir, 'operator.key'), 'utf8')).trim()
    const shop = { url: web.url, key }
    for (const sensor of await newSensors(shop, LOGGERS))
      loggers.push({ box: sensor.box, messages: Array.from({ length: each }, () => signed(sensor)) })
    await using link = await cuttableLink(port)
    const away = (crash: () => Promise<void>, restart: () => Promise<void>) => async (): Promise<void> => {
      await crash()
      await wait(AWAY_MS)
      await restart()
    }
    const parts = [async () => link.cut(), away(web.kill, () => web.start())]
    if (place.crash && place.restart) parts.push(away(place.crash, place.restart))
    if (broker) parts.push(away(() => broker.end('SIGKILL'), broker.start))
    const began = performance.now()
    let acknowledged = 0
    const sending = streamAll(loggers, {
      ...{ port: link.port, inFlight: IN_FLIGHT, onAcknowledged: () => void acknowledged++ },
      ...(broker === undefined ? { key } : { forgetsMs: BROKER_FORGETS_MS }),
    })
    const ended = await Promise.all([sending, disturb(parts, () => acknowledged / (LOGGERS * each))])
    ;[sent, faults] = ended
    await untilStored(shop)
    seconds = (performance.now() - began) / 1_000
    if (web.died !== undefined) throw new Error([web.died, ...web.errors].join('\n'))
  }
  const database = await place.open()
  await checkStored(database.db, loggers)
  await database.close()
  const by = broker === undefined ? 'its own broker' : 'Mosquitto'
  row(place.name, by, LOGGERS * each, faults, sent - LOGGERS * each, seconds.toFixed(1))
}

tableHead('on', 'by', 'readings, each stored once', 'faults', 'sent again', 's')
for (const open of databasesNamed(words, { crashes: true })) {
  await using place = await open()
  await using broker = words.includes('mosquitto') ? await openMosquitto() : undefined
  await stream(place, broker)
}
process.exit(0)
