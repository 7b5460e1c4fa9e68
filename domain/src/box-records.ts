import type { z } from 'zod'
import {
  type Box,
  CatchProv,
  EnoseResult,
  type Fisher,
  FreshnessEntry,
  ImageResult,
  Registration,
  SensorResult,
} from './box.ts'
import { RecordedReading } from './recorded-reading.ts'

/** The payload schema of each kind of record. Kinds: protocol §1. */
export const factSchemas = {
  registration: Registration,
  catch: CatchProv,
  tracking: RecordedReading,
  'sensor-result': SensorResult,
  'image-result': ImageResult,
  'enose-result': EnoseResult,
  freshness: FreshnessEntry,
} as const

type FactSchemas = typeof factSchemas
export type FactKind = keyof FactSchemas

/** The payload of a record of this kind. */
export type FactData<K extends FactKind> = z.infer<FactSchemas[K]>

/** A record before it is appended to a history. */
export type Fact = { [K in FactKind]: { kind: K; at: string; by: string; data: FactData<K> } }[FactKind]

/**
 * Converts a whole Box to records, in this order: registration, catch, every reading, sensor result, every image and
 * e-nose result, every freshness entry. `data` is as submitted, including `txHash`es.
 * @param submission who sent the Box and when (RFC 3339): `by` of freshness entries, and the time of a registration
 * without any other time in the Box; `sample`: its trader is invented, which the registration says
 */
export function recordsOfBox(box: Box, submission: { at: string; by: string; sample?: boolean }): Fact[] {
  const { fisher, catchProv, iotResult } = box
  const began = catchProv?.time ?? iotResult?.iotTracking[0]?.time ?? submission.at
  return [
    {
      kind: 'registration',
      at: began,
      by: fisher.traderID,
      data: submission.sample ? { ...fisher, sample: true } : fisher,
    },
    ...(catchProv === null ? [] : [catchFact(catchProv, fisher)]),
    ...(iotResult === null ? [] : sensorFacts(iotResult)),
    ...box.imageProc.map((data): Fact => ({ kind: 'image-result', at: data.time, by: data.operator, data })),
    ...box.e_nose.map((data): Fact => ({ kind: 'enose-result', at: data.time, by: data.operator, data })),
    ...box.freshness.map((data): Fact => ({ kind: 'freshness', at: data.time, by: submission.by, data })),
  ]
}

const catchFact = (data: CatchProv, fisher: Fisher): Fact => ({
  kind: 'catch',
  at: data.time,
  by: fisher.traderID,
  data,
})

function sensorFacts({ iotTracking, ...result }: NonNullable<Box['iotResult']>): Fact[] {
  return [
    ...iotTracking.map((data): Fact => ({ kind: 'tracking', at: data.time, by: data.iotID, data })),
    { kind: 'sensor-result', at: result.time, by: result.operator, data: result },
  ]
}
