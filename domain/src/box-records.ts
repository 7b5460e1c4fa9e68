import type { z } from 'zod'
import {
  type Box,
  CatchProv,
  EnoseResult,
  Fisher,
  FreshnessEntry,
  ImageResult,
  SensorResult,
  TrackingReading,
} from './box.ts'

/** What each kind of record says of a box. Kinds: protocol §1. */
export const factSchemas = {
  registration: Fisher,
  catch: CatchProv,
  tracking: TrackingReading,
  'sensor-result': SensorResult,
  'image-result': ImageResult,
  'enose-result': EnoseResult,
  freshness: FreshnessEntry,
} as const

type FactSchemas = typeof factSchemas
export type FactKind = keyof FactSchemas

/** The payload of a record of this kind. */
export type FactData<K extends FactKind> = z.infer<FactSchemas[K]>

/** One record before it has its place in a history. */
export type Fact = { [K in FactKind]: { kind: K; at: string; by: string; data: FactData<K> } }[FactKind]

/**
 * The records that a whole Box turns into, in this order: registration, catch, every reading, sensor result, every
 * image and e-nose result, every freshness entry. `data` is what was submitted, incoming `txHash`es too.
 * @param submission who sent the Box and when (RFC 3339): it vouches for freshness entries, and dates a
 * registration that nothing else in the Box dates
 */
export function recordsOfBox(box: Box, submission: { at: string; by: string }): Fact[] {
  const { fisher, catchProv, iotResult } = box
  const began = catchProv?.time ?? iotResult?.iotTracking[0]?.time ?? submission.at
  return [
    { kind: 'registration', at: began, by: fisher.traderID, data: fisher },
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
