import { MAX_DEVICES } from '@befaqt/provenance/bundle'
import { sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'
import { type Archived, type RecordRow, refuseDropped } from './read-records.ts'

/**
 * The first fields of what devices signed, in canonical text, by the kind of its record. No string holds them: its quotes
 * would be escaped.
 */
const signedWith = {
  tracking: /"signed":\{(?:"bytes":"[0-9a-f]*",)?"form":"[a-z]+","key":"([0-9a-f]{32})"/,
  weight: /"weighed":\{"bytes":"[0-9a-f]*","form":"cose","key":"([0-9a-f]{32})"/,
} as const
type SignedKind = keyof typeof signedWith

/**
 * The keys that signed these records. A row that was tampered with names none that the verifier would not see.
 * @param withScales also those of scales where no reading is signed: verifiers from before refuse their registers there
 */
export function keysOf(rows: readonly RecordRow[], withScales: boolean): string[] {
  const foundIn = (wanted: SignedKind): string[] =>
    rows.flatMap(({ kind, body }) => (kind === wanted && signedWith[wanted].exec(body ?? '')?.[1]) || [])
  return chosen(foundIn('tracking'), foundIn('weight'), withScales)
}

function chosen(ofReadings: readonly string[], ofWeights: readonly string[], withScales: boolean): string[] {
  const isTaken = withScales || ofReadings.length > 0
  return [...new Set([...ofReadings, ...(isTaken ? ofWeights : [])])].slice(0, MAX_DEVICES)
}

/** `keysOf` all records of a box, found by the database, so that they need not be read for what came since. @throws RowsDropped */
export async function allKeysOf(
  tx: Tx,
  boxID: string,
  withScales: boolean,
  archived: Archived = [],
): Promise<string[]> {
  if (archived.length > 0) return keysOf(archived, withScales)
  await refuseDropped(tx, boxID, archived)
  const foundIn = async (kind: SignedKind): Promise<string[]> => {
    const member = kind === 'tracking' ? '%"signed":{%' : '%"weighed":{%'
    const found = await rows<{ key: string }>(
      tx,
      sql`select key from (
            select seq, substring(body from ${signedWith[kind].source}::text) as key from records
            where box_id = ${boxID} and kind = ${kind} and body like ${member}) signed
          where key is not null group by key order by min(seq) limit ${MAX_DEVICES}`,
    )
    return found.map(({ key }) => key)
  }
  return chosen(await foundIn('tracking'), await foundIn('weight'), withScales)
}
