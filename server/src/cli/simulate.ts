import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { addCatch, registerBox } from '@befaqt/domain/api/endpoints/managed-boxes'
import { MINUTE_MS } from '@befaqt/domain/durations'
import { Signer } from '@befaqt/provenance/signed/signer'
import { connectAsync, type MqttClient } from 'mqtt'
import { simulatedReading } from '#server/sample/sample-journeys.ts'
import { callServer, enrol, operatorKey, type Target, thisServer } from './this-server.ts'

/** Plays journeys of boxes with signed loggers over MQTT into a running shop. They and their traders say that they are simulated. */
const USAGE =
  'Usage: npm run -s simulate -- [--boxes 1-200] [--speed 1-3600] [--hours 1-72] [--server URL] [--mqtt URL] [--key KEY]'

/** Minutes between two readings of a box. */
const INTERVAL_MIN = 10
/** Interval of checking the clock. */
const TICK_MS = 200
/** Readings of a box that are published, one after the other, between two checks of the clock. */
const AT_ONCE = 20

type Plan = { boxes: number; speed: number; hours: number; mqtt: string; target: Target }

async function readPlan(): Promise<Plan> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: { boxes: text, speed: text, hours: text, server: text, mqtt: text, key: text },
  })
  const number = (given: string | undefined, usual: number, most: number): number => {
    const value = given === undefined ? usual : Number(given)
    if (!Number.isInteger(value) || value < 1 || value > most) throw new Error(USAGE)
    return value
  }
  const server = values.server ?? thisServer()
  const mqttPort = process.env.MQTT_PORT ?? '1883'
  return {
    boxes: number(values.boxes, 5, 200),
    speed: number(values.speed, 600, 3_600),
    hours: number(values.hours, 24, 72),
    mqtt: values.mqtt ?? `mqtt://${new URL(server).hostname}:${mqttPort}`,
    target: { server, key: values.key ?? (await operatorKey()) },
  }
}

/** A box under way, and the logger in it. */
type Travelling = { box: string; index: number; logger: Signer; client: MqttClient; sent: number }

const WHO = 'Simulated'

/** Registers a box that was caught at `startedAt`, with its catch and a logger of its own. */
async function begin(
  { target, mqtt }: Plan,
  run: string,
  index: number,
  startedAt: Date,
  rejections: string[],
): Promise<Travelling> {
  const box = `SIM-${run}-${String(index + 1).padStart(3, '0')}`
  const fisher = { traderID: WHO, traderName: WHO, companyName: WHO, boat: WHO, address: WHO }
  await callServer(target, registerBox, { boxID: box, fisher })
  const { latitude, longitude } = simulatedReading(index, 0)
  const place = { latitude, longitude, locationCodeLat: latitude, locationCodeLong: longitude }
  const species = ['Snapper', 'Flathead', 'Kingfish'][index % 3] ?? 'Snapper'
  const caught = { time: startedAt.toISOString(), boat: WHO, method: 'Hook and line', img: '', size: '40 cm' }
  const { method } = addCatch
  const url = urlOf(addCatch, { params: { boxID: box } })
  await callServer(target, { method, url }, { ...caught, ...place, species, note: 'A simulated catch.' })
  const logger = new Signer()
  const validFrom = startedAt.toISOString()
  await enrol(target, logger, { name: `Simulated logger of ${box}`, level: 'sensor', validFrom })
  const client = await connectAsync(mqtt, { username: 'key', password: target.key, reconnectPeriod: 1_000 })
  client.on('error', () => undefined) // it connects again by itself
  client.on('message', (_topic, payload) => rejections.push(String(payload)))
  await client.subscribeAsync(`befaqt/${box}/refused`, { qos: 1 })
  return { box, index, logger, client, sent: 0 }
}

/** Publishes the reading that is next; resolves when it is acknowledged, that is stored. */
async function report(travelling: Travelling, startedAt: Date, hours: number): Promise<void> {
  const { box, index, logger, client, sent } = travelling
  travelling.sent++
  const at = startedAt.getTime() + sent * INTERVAL_MIN * MINUTE_MS
  const { temperature, latitude, longitude, battery } = simulatedReading(
    index,
    (sent * INTERVAL_MIN) / (hours * 60),
  )
  const readings = [{ timeS: Math.floor(at / 1000), temperature, place: [latitude, longitude] as const }]
  const payload = logger.chained({ box, counter: sent + 1, battery, readings })
  await client.publishAsync(`befaqt/${box}/tracking`, Buffer.from(payload), { qos: 1 })
}

/** How many readings were acknowledged, and what the shop said of those that it refused. */
type Played = { acknowledged: number; rejections: readonly string[] }

/** Plays all journeys to their end, or until `stop`. */
async function play(plan: Plan, stop: AbortSignal): Promise<Played> {
  const { boxes, speed, hours } = plan
  const startedAt = new Date(Math.floor((Date.now() - hours * 60 * MINUTE_MS) / 1000) * 1000)
  const run = startedAt.toISOString().replace(/\D/g, '').slice(2, 14)
  const each = Math.floor((hours * 60) / INTERVAL_MIN) + 1
  const fleet: Travelling[] = []
  const rejections: string[] = []
  let acknowledged = 0
  try {
    for (let i = 0; i < boxes && !stop.aborted; i++) {
      fleet.push(await begin(plan, run, i, startedAt, rejections))
      progress(`${fleet.length} of ${boxes} boxes registered`)
    }
    const began = performance.now()
    while (!stop.aborted && fleet.some(({ sent }) => sent < each)) {
      const minutes = ((performance.now() - began) * speed) / MINUTE_MS
      const due = Math.min(each, Math.floor(minutes / INTERVAL_MIN) + 1)
      await Promise.all(
        fleet.map(async (travelling) => {
          const until = Math.min(due, travelling.sent + AT_ONCE)
          while (travelling.sent < until && !stop.aborted) {
            await report(travelling, startedAt, hours)
            acknowledged++
          }
        }),
      )
      progress(
        `${acknowledged} of ${fleet.length * each} readings sent, ${Math.min(hours, minutes / 60).toFixed(1)} of ${hours} h`,
      )
      if (fleet.some(({ sent }) => sent < each))
        await sleep(TICK_MS, undefined, { signal: stop }).catch(() => undefined)
    }
  } finally {
    await Promise.all(fleet.map(({ client }) => client.endAsync()))
  }
  return { acknowledged, rejections }
}

let shown = 0
/** One line that is written over on a terminal; elsewhere one in five seconds. */
function progress(words: string): void {
  if (process.stderr.isTTY) return void process.stderr.write(`\r\x1b[K${words}`)
  if (Date.now() - shown < 5_000) return
  shown = Date.now()
  console.error(words)
}

async function main(): Promise<void> {
  const plan = await readPlan()
  const stop = new AbortController()
  const onSignal = (): void => stop.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const { acknowledged, rejections } = await play(plan, stop.signal)
  if (process.stderr.isTTY) process.stderr.write('\n')
  const stored = acknowledged - rejections.length
  console.log(`${stop.signal.aborted ? 'Stopped' : 'Done'}: ${stored} readings were stored.`)
  if (rejections.length === 0) return
  console.error(`${rejections.length} were refused, the first with: ${rejections[0]}`)
  process.exitCode = 1
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
})
