import { z } from 'zod'
import {
  type Box,
  CatchProv,
  EnoseResult,
  type Fisher,
  FreshnessEntry,
  ImageResult,
  RegisteredFisher,
  SensorResult,
  TrackingReading,
} from './box.ts'
import { type ComputedResult, correctedReader, rebuildBox, type StoredRecord } from './rebuild-box.ts'

const hex = z.string().regex(/^([0-9a-f]{2})+$/)
const signer = { level: z.enum(['sensor', 'gateway']), key: hex.length(32) }

/**
 * A reading as its record holds it: how it came is part of it. `signed` holds the signed bytes as they came (protocol
 * format §13); whole Boxes have neither.
 */
export const RecordedReading = TrackingReading.extend({
  sent: z.literal('key').exactOptional(),
  /** The logger's file that it was brought in with: SHA-256 in hex, and its line. */
  file: z.strictObject({ sha256: hex.length(64), line: z.int() }).exactOptional(),
  signed: z
    .union([
      z.strictObject({ ...signer, form: z.literal('jcs'), text: z.string(), signature: hex.length(128) }),
      z.strictObject({ ...signer, form: z.literal('cose'), bytes: hex, place: z.int() }),
    ])
    .exactOptional(),
})
export type RecordedReading = z.infer<typeof RecordedReading>

/** The payload schema of each kind of record. Kinds: protocol §1. */
export const factSchemas = {
  registration: RegisteredFisher,
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

/** Parses with the schema of the kind: a stored record may have been tampered with. */
function parseFact<K extends FactKind>(kind: K, data: unknown): FactData<K> | undefined {
  const parsed = factSchemas[kind].safeParse(data)
  return parsed.success ? (parsed.data as FactData<K>) : undefined
}

/** `rebuildBox`, each record parsed with the schema of its kind. */
export const boxOfRecords = (
  boxID: string,
  records: readonly StoredRecord[],
  timeZone: string,
  txHashOf: (seq: number) => string | null,
  computed?: ComputedResult,
): Box => rebuildBox(boxID, records, { timeZone, txHashOf, readFact: parseFact, computed })

/** `correctedReader`, each record parsed with the schema of its kind. */
export const recordReader = (records: readonly StoredRecord[]) => correctedReader(records, parseFact)
