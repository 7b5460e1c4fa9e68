import { freePort } from '../../tools/test/free-port.ts'
import { databasesNamed } from './databases.ts'
import { device, sendBatch } from './field.ts'
import { row, tableHead } from './load-table.ts'
import { newSensors, type Sensor, signed, temperatureAt, timeS } from './sensors.ts'
import { costOf, type Shop, startShop } from './shop.ts'
import { sized } from './sized.ts'

/**
 * Prints how many readings a second a shop takes, as they are and signed by a logger, over HTTP and MQTT, on the
 * databases that are named, `embedded` or `postgres`, or on both: `node bench/src/signed-readings.ts [embedded|postgres]`.
 * Signed messages hold one reading each, the dearest case, and are made before the clock starts.
 */
const GATEWAYS = sized(4, 1)
const BOXES_OF_GATEWAY = 12
const BATCHES_OF_GATEWAY = sized(8, 1)
/** Readings of a batch. */
const BATCH = sized(480, 12)
const PER_DEVICE = sized(40, 2)
const BOXES = GATEWAYS * BOXES_OF_GATEWAY
const READINGS = GATEWAYS * BATCHES_OF_GATEWAY * BATCH

const sensors = (shop: Shop): Promise<Sensor[]> => newSensors(shop, BOXES)

/** The next reading of a sensor, without a signature. */
function plain(sensor: Sensor): { box: string } & Record<string, unknown> {
  const counter = ++sensor.counter
  const time = new Date(timeS(counter) * 1000).toISOString()
  const place = { latitude: -33.5, longitude: 151.5 }
  return { box: sensor.box, iotID: 'L-1', time, ...place, temperature: temperatureAt(counter) }
}

/**
 * Batches of each gateway, which go round its own boxes: counters of a box must grow, so that nobody else may send for it
 * at the same time.
 */
const batchesOf = (all: readonly Sensor[], reading: (sensor: Sensor) => unknown): unknown[][][] =>
  Array.from({ length: GATEWAYS }, (_, gateway) => {
    const own = all.slice(gateway * BOXES_OF_GATEWAY, (gateway + 1) * BOXES_OF_GATEWAY)
    const round = (): unknown[] => own.map(reading)
    const batch = (): unknown[] => Array.from({ length: BATCH / BOXES_OF_GATEWAY }, round).flat()
    return Array.from({ length: BATCHES_OF_GATEWAY }, batch)
  })

/** Each gateway sends one batch after the other. */
async function overHttp(shop: Shop, gateways: readonly unknown[][][]): Promise<number> {
  const accepted: number[] = []
  await Promise.all(
    gateways.map(async (batches) => {
      for (const batch of batches) accepted.push(await sendBatch(shop, batch))
    }),
  )
  const sum = accepted.reduce((all, of) => all + of, 0)
  if (sum !== READINGS) throw new Error(`${sum} of ${READINGS} were accepted`)
  return sum
}

type Queue = { box: string; payloads: readonly (string | Buffer)[] }

/** Each device publishes one reading after the other, waiting for every acknowledgement. */
async function overMqtt(shop: Shop, port: number, queues: readonly Queue[]): Promise<() => Promise<number>> {
  const clients = await Promise.all(queues.map(() => device(shop, port)))
  return async () => {
    await Promise.all(
      queues.map(async ({ box, payloads }, i) => {
        for (const payload of payloads)
          await clients[i]?.publishAsync(`befaqt/${box}/tracking`, payload, { qos: 1 })
        await clients[i]?.endAsync()
      }),
    )
    return queues.length * PER_DEVICE
  }
}

for (const open of databasesNamed(process.argv, { crashes: true })) {
  await using database = await open()
  const port = await freePort()
  const env = { ...database.env, SAMPLE_DATA: 'off', MQTT_PORT: String(port), ANCHOR_INTERVAL_S: '5' }
  await using shop = await startShop(env, database.dataDir)
  console.log(`\n${database.name}`)
  tableHead('what', 'readings/s', 'per second of the server’s processor')
  const measured = async (what: string, work: () => Promise<number>): Promise<void> => {
    const { result, ms, cpuMs } = await costOf(shop, work)
    row(what, Math.round((result * 1000) / ms), Math.round((result * 1000) / cpuMs))
  }
  for (const [name, reading] of [
    ['unsigned', plain],
    ['signed', (sensor: Sensor) => ({ cose: Buffer.from(signed(sensor)).toString('hex') })],
  ] as const) {
    const gateways = batchesOf(await sensors(shop), reading)
    await measured(
      `HTTP, ${name}, ${GATEWAYS} gateways, batches of ${BATCH} of ${BOXES_OF_GATEWAY} boxes`,
      () => overHttp(shop, gateways),
    )
  }
  for (const [name, payload] of [
    ['unsigned', (sensor: Sensor) => withoutBox(plain(sensor))],
    ['signed', (sensor: Sensor) => Buffer.from(signed(sensor))],
  ] as const) {
    const queues = (await sensors(shop)).map((sensor) => ({
      box: sensor.box,
      payloads: Array.from({ length: PER_DEVICE }, () => payload(sensor)),
    }))
    await measured(
      `MQTT, ${name}, ${BOXES} devices that wait for each acknowledgement`,
      await overMqtt(shop, port, queues),
    )
  }
}

function withoutBox({ box: _, ...reading }: ReturnType<typeof plain>): string {
  return JSON.stringify(reading)
}
