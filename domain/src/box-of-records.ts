import { sensorResultOf } from './assessment.ts'
import type { Box, Fisher, SensorResult, TrackingReading } from './box.ts'
import { type FactData, type FactKind, factSchemas } from './box-records.ts'
import { type Correction, newestCorrections } from './corrections.ts'

/** A record as it is stored. `data` is validated again: a stored record may have been tampered with. */
export type StoredRecord = { seq: number; kind: string; data: unknown }

/** One record's payload and its position in the history; a corrected one has the correction's position. */
type ParsedFact<K extends FactKind> = { seq: number; data: FactData<K> }

/**
 * The whole Box of a history: every value as submitted but `txHash`, which is `txHashOf(seq)`. The newest correction of
 * a record replaces it. A record that does not match the schema of its kind is skipped; the verifier reports it.
 * `iotResult` is the newest sensor result, or computed when there are later readings.
 * @param timeZone the market's, for times without an offset
 * @param txHashOf the ledger's transaction of a record, null while pending
 * @param computed the result of the readings, where it is known already
 */
export function boxOfRecords(
  boxID: string,
  records: readonly StoredRecord[],
  timeZone: string,
  txHashOf: (seq: number) => string | null,
  computed: ComputedResult = (readings) => sensorResultOf(readings, timeZone),
): Box {
  const factsOf = factReader(records)
  const proven = <T extends object>({ seq, data }: { seq: number; data: T }) => ({
    ...data,
    txHash: txHashOf(seq),
  })
  const caught = factsOf('catch').at(-1)
  return {
    boxID,
    fisher: factsOf('registration').at(-1)?.data ?? NOBODY,
    catchProv: caught === undefined ? null : proven(caught),
    iotResult: iotResultOf(factsOf('sensor-result').at(-1), factsOf('tracking'), { proven, computed }),
    imageProc: factsOf('image-result').map(proven),
    e_nose: factsOf('enose-result').map(proven),
    freshness: factsOf('freshness').map(proven),
  }
}

/** What the readings of a box add up to, as `sensorResultOf`. */
type ComputedResult = (readings: readonly TrackingReading[]) => SensorResult | null

/** The fisher of a box whose registration was withheld or damaged. */
export const NOBODY: Fisher = { traderID: '', traderName: '', companyName: '', boat: '', address: '' }

function iotResultOf(
  submitted: ParsedFact<'sensor-result'> | undefined,
  readings: readonly ParsedFact<'tracking'>[],
  {
    proven,
    computed,
  }: { proven: (fact: ParsedFact<'tracking'>) => TrackingReading; computed: ComputedResult },
): Box['iotResult'] {
  const newestReading = readings.reduce((seq, reading) => Math.max(seq, reading.seq), 0)
  const result =
    submitted !== undefined && submitted.seq > newestReading
      ? submitted.data
      : (computed(readings.map(({ data }) => data)) ?? submitted?.data)
  return result === undefined ? null : { ...result, iotTracking: readings.map(proven) }
}

/** Reads the facts of one kind, in the order of the history, corrections applied. */
function factReader(records: readonly StoredRecord[]): <K extends FactKind>(kind: K) => ParsedFact<K>[] {
  const read = recordReader(records)
  return (kind) => records.flatMap((record) => read(kind, record) ?? [])
}

/**
 * Parses single records of a history, corrections applied. Returns undefined for a record of another kind, or one that
 * does not match the schema of its kind.
 * @param records the whole history, or all of its corrections
 */
export function recordReader(
  records: readonly StoredRecord[],
): <K extends FactKind>(kind: K, record: StoredRecord) => ParsedFact<K> | undefined {
  const corrections = newestCorrections(records)
  return (kind, record) => {
    if (record.kind !== kind) return undefined
    const corrected = corrections.get(record.seq)
    return (corrected && readAs(kind, corrected)) ?? readAs(kind, record)
  }
}

function readAs<K extends FactKind>(kind: K, record: Correction): ParsedFact<K> | undefined {
  const parsed = factSchemas[kind].safeParse(record.data)
  return parsed.success ? { seq: record.seq, data: parsed.data as FactData<K> } : undefined
}
