import type { Box } from './box.ts'
import { type FactData, type FactKind, factSchemas } from './box-records.ts'
import { type ComputedResult, correctedReader, rebuildBox, type StoredRecord } from './rebuild-box.ts'

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
