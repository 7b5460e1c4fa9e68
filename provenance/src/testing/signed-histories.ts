import type { ProofBundle } from '../bundle.ts'
import type { JsonObject } from '../canonical.ts'
import { readCoseStatement } from '../signed/cose-statement.ts'
import { readCoseWeighing } from '../signed/cose-weighing.ts'
import { registerBoxOf } from '../signed/device-register.ts'
import { Signer } from '../signed/signer.ts'
import { pickReading } from '../signed/statement.ts'
import { weighedData } from '../signed/weighed-data.ts'
import { Shop } from './shop.ts'

/** Data of the record of one reading of a logger's message. */
export function coseData(bytes: Uint8Array, place = 0, level = 'sensor'): JsonObject {
  const { key, readings } = readCoseStatement(bytes)
  const reading = readings[place]
  if (reading === undefined) throw new RangeError(`no reading ${place}`)
  const signed = { form: 'cose', level, key, bytes: Buffer.from(bytes).toString('hex'), place }
  return { ...pickReading(reading), signed }
}

/** Adds the record of a scale's message. @param other what it says beside that, or else */
export function appendWeighing(shop: Shop, box: string, bytes: Uint8Array, other: JsonObject = {}): void {
  const weighing = readCoseWeighing(bytes)
  const data = weighedData(weighing, Buffer.from(bytes).toString('hex'))
  shop.append(box, 'weight', { ...data, ...other }, weighing.time)
}

/** 8:00 am at the market, three days before a shop of tests makes its first anchor. */
export const THREE_DAYS_BEFORE_S = 1_795_222_800 - 3 * 86_400 - 4 * 3600

/** A box `A` with readings of a logger at 8:10, 8:30 and 8:40: the second of its four statements is left out. */
export function lackingOne(): { shop: Shop; bundle: ProofBundle } {
  const [logger, shop] = [new Signer(), new Shop()]
  shop.append('A', 'registration')
  shop.append(registerBoxOf(logger.id), 'device', logger.entry('sensor', '2020-01-01T00:00:00Z'))
  for (const counter of [1, 2, 3, 4]) {
    const readings = [{ timeS: THREE_DAYS_BEFORE_S + counter * 600, temperature: 1.5 }]
    const bytes = logger.chained({ box: 'A', counter, readings })
    if (counter !== 2) shop.append('A', 'tracking', coseData(bytes))
  }
  shop.anchor()
  return { shop, bundle: { ...shop.bundleOf('A'), devices: [shop.bundleOf(registerBoxOf(logger.id))] } }
}
