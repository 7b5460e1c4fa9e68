import { Signer } from '@befaqt/provenance/signed/signer'
import { call, newBox } from './field.ts'
import type { Shop } from './shop.ts'

/** A logger that is registered, its box, and how far it has counted. */
export type Sensor = { box: string; logger: Signer; counter: number }

const DAY_S = 86_400
const startedS = Math.floor(Date.now() / 1_000) - 7 * DAY_S

/** Time of a sensor's reading: ten seconds after the one before it, the first a week ago. */
export const timeS = (counter: number): number => startedS + counter * 10

export const temperatureAt = (counter: number): number => 1 + (counter % 10) / 10

/** Boxes with a logger each, valid since a week ago. */
export async function newSensors(shop: Pick<Shop, 'url' | 'key'>, count: number): Promise<Sensor[]> {
  const made: Sensor[] = []
  for (let i = 0; i < count; i++) {
    const [box, logger] = [await newBox(shop), new Signer()]
    const publicKey = Buffer.from(logger.publicKey).toString('hex')
    const validFrom = new Date((startedS - 60) * 1_000).toISOString()
    const asked = { name: `Bench ${i}`, publicKey, level: 'sensor', validFrom }
    const { message } = JSON.parse(await call(shop, 'POST', '/api/device', asked))
    const signature = Buffer.from(logger.sign(Buffer.from(message, 'hex'))).toString('hex')
    await call(shop, 'POST', `/api/device/${logger.id}/enrol`, { signature })
    made.push({ box, logger, counter: 0 })
  }
  return made
}

/** The next reading of a sensor as its logger signs it. */
export function signed(sensor: Sensor): Uint8Array {
  const counter = ++sensor.counter
  const temperature = temperatureAt(counter)
  const reading = { timeS: timeS(counter), temperature, place: [-33.5, 151.5] as const }
  return sensor.logger.chained({ box: sensor.box, counter, battery: 90, readings: [reading] })
}
