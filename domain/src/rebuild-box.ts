import type { Box, Fisher, SensorResult, TrackingReading } from './box.ts'
import { type Correction, newestCorrections } from './box-history.ts'
import type { FactData, FactKind } from './box-records.ts'
import { sensorResultOf } from './freshness.ts'

/** A record as it is stored. `data` is validated again: a stored record may have been tampered with. */
export type StoredRecord = { seq: number; kind: string; data: unknown }

/** Reads the payload of a record of this kind; undefined for one that it can't be. */
export type ReadFact = <K extends FactKind>(kind: K, data: unknown) => FactData<K> | undefined

/** One record's payload and its position in the history; a corrected one has the correction's position. */
export type ParsedFact<K extends FactKind> = { seq: number; data: FactData<K> }

/** What the readings of a box add up to, as `sensorResultOf`. */
export type ComputedResult = (readings: readonly TrackingReading[]) => SensorResult | null

type Rules = {
  /** The market's, for times without an offset. */
  timeZone: string
  /** The ledger's transaction of a record, null while pending. */
  txHashOf: (seq: number) => string | null
  readFact: ReadFact
  /** The result of the readings, where it is known already. */
  computed?: ComputedResult | undefined
}

/**
 * The whole Box of a history: every value as submitted but `txHash`, which is the ledger's. The newest correction of a
 * record replaces it. A record that can't be read as one of its kind is skipped; the verifier reports it. `iotResult`
 * is the newest sensor result, or computed when there are later readings.
 */
export function rebuildBox(
  boxID: string,
  records: readonly StoredRecord[],
  { timeZone, txHashOf, readFact, computed = (readings) => sensorResultOf(readings, timeZone) }: Rules,
): Box {
  const read = correctedReader(records, readFact)
  const factsOf = <K extends FactKind>(kind: K): ParsedFact<K>[] =>
    records.flatMap((record) => read(kind, record) ?? [])
  const proven = <T extends object>({ seq, data }: { seq: number; data: T }) => ({
    ...data,
    txHash: txHashOf(seq),
  })
  const caught = factsOf('catch').at(-1)
  return {
    boxID,
    fisher: fisherOf(factsOf('registration').at(-1)?.data),
    catchProv: caught === undefined ? null : proven(caught),
    iotResult: iotResultOf(factsOf('sensor-result').at(-1), factsOf('tracking'), { proven, computed }),
    imageProc: factsOf('image-result').map(proven),
    e_nose: factsOf('enose-result').map(proven),
    freshness: factsOf('freshness').map(proven),
  }
}

function fisherOf(registration: FactData<'registration'> | undefined): Fisher {
  if (registration === undefined) return NOBODY
  const { sample: _, ...fisher } = registration
  return fisher
}

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
  return result === undefined
    ? null
    : { ...result, iotTracking: readings.map((fact) => proven({ ...fact, data: readingAlone(fact.data) })) }
}

/**
 * Reads single records of a history, corrections applied. Returns undefined for a record of another kind, or one that
 * can't be read as one of its kind.
 * @param records the whole history, or all of its corrections
 */
export function correctedReader(
  records: readonly StoredRecord[],
  readFact: ReadFact,
): <K extends FactKind>(kind: K, record: StoredRecord) => ParsedFact<K> | undefined {
  const corrections = newestCorrections(records)
  const readAs = <K extends FactKind>(kind: K, { seq, data }: Correction): ParsedFact<K> | undefined => {
    const fact = readFact(kind, data)
    return fact && { seq, data: fact }
  }
  return (kind, record) => {
    if (record.kind !== kind) return undefined
    const corrected = corrections.get(record.seq)
    return (corrected && readAs(kind, corrected)) ?? readAs(kind, record)
  }
}

/** A reading without what its record says of how it came: whole Boxes have the fields of the specification. */
function readingAlone(fact: FactData<'tracking'>): TrackingReading {
  const { sent: _sent, signed: _signed, file: _file, ...reading } = fact
  return reading
}
