import { sensorResultOf } from './assessment.ts'
import type { Box, Fisher, SensorResult, TrackingReading } from './box.ts'
import { type FactData, type FactKind, factSchemas } from './box-records.ts'

/** A record as it is kept. What `data` holds is looked at anew: a stored record may have been tampered with. */
export type KeptRecord = { seq: number; kind: string; data: unknown }

/** One record's payload with the place it has in the history; a corrected one has the correction's. */
type Said<K extends FactKind> = { seq: number; data: FactData<K> }

/**
 * The whole Box that a history says, every value as it came but `txHash`, which is `txHashOf(seq)`. The newest
 * correction of a record takes its place. A record that does not fit its kind is left out: what is wrong with it is
 * the verifier's to say. `iotResult` is the newest sensor result, or computed when readings came after it.
 * @param timeZone the market's, which times without an offset are in
 * @param txHashOf the ledger's transaction of a record, null while pending
 */
export function boxOfRecords(
  boxID: string,
  records: readonly KeptRecord[],
  timeZone: string,
  txHashOf: (seq: number) => string | null,
): Box {
  const say = sayingOf(records)
  const proven = <T extends object>({ seq, data }: { seq: number; data: T }) => ({
    ...data,
    txHash: txHashOf(seq),
  })
  const caught = say('catch').at(-1)
  return {
    boxID,
    fisher: say('registration').at(-1)?.data ?? NOBODY,
    catchProv: caught === undefined ? null : proven(caught),
    iotResult: iotResultOf(say('sensor-result').at(-1), say('tracking'), timeZone, proven),
    imageProc: say('image-result').map(proven),
    e_nose: say('enose-result').map(proven),
    freshness: say('freshness').map(proven),
  }
}

/** Stands where the registration was withheld or damaged. */
export const NOBODY: Fisher = { traderID: '', traderName: '', companyName: '', boat: '', address: '' }

function iotResultOf(
  submitted: Said<'sensor-result'> | undefined,
  readings: readonly Said<'tracking'>[],
  timeZone: string,
  proven: (said: Said<'tracking'>) => TrackingReading,
): Box['iotResult'] {
  const newestReading = readings.reduce((seq, reading) => Math.max(seq, reading.seq), 0)
  const computed = (): SensorResult | null =>
    sensorResultOf(
      readings.map(({ data }) => data),
      timeZone,
    )
  const result =
    submitted !== undefined && submitted.seq > newestReading
      ? submitted.data
      : (computed() ?? submitted?.data)
  return result === undefined ? null : { ...result, iotTracking: readings.map(proven) }
}

/** What the records of each kind say, in the order of the history, corrections applied. */
function sayingOf(records: readonly KeptRecord[]): <K extends FactKind>(kind: K) => Said<K>[] {
  const read = recordReader(records)
  return (kind) => records.flatMap((record) => read(kind, record) ?? [])
}

/**
 * Reads one record of a history after the other as what is asked for: undefined for another kind, and for one that
 * does not fit its kind. Corrections are applied.
 * @param records the whole history, or all of its corrections
 */
export function recordReader(
  records: readonly KeptRecord[],
): <K extends FactKind>(kind: K, record: KeptRecord) => Said<K> | undefined {
  const corrections = correctionsOf(records)
  return (kind, record) => {
    if (record.kind !== kind) return undefined
    const corrected = corrections.get(record.seq)
    return (corrected && readAs(kind, corrected)) ?? readAs(kind, record)
  }
}

function readAs<K extends FactKind>(kind: K, record: KeptRecord): Said<K> | undefined {
  const parsed = factSchemas[kind].safeParse(record.data)
  return parsed.success ? { seq: record.seq, data: parsed.data as FactData<K> } : undefined
}

/** The newest correction of each record, its payload in place of the record's. Data: `CorrectionData`. */
function correctionsOf(records: readonly KeptRecord[]): Map<number, KeptRecord> {
  const newest = new Map<number, KeptRecord>()
  for (const { seq, kind, data } of records) {
    if (kind !== 'correction' || typeof data !== 'object' || data === null) continue
    if ('corrects' in data && 'data' in data && typeof data.corrects === 'number')
      newest.set(data.corrects, { seq, kind, data: data.data })
  }
  return newest
}
