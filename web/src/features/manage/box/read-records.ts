import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import type { BoxRecord, WithheldRecord } from '@befaqt/provenance'
import { callApi } from '#web/api/call-api.ts'

/** What a proof of this shop shows: its records are of the kinds that it knows. */
type OwnProof = { records: (BoxRecord | WithheldRecord)[] }

/** Every record of a box with what it says; withheld ones are left out. @throws ShopError */
export async function readRecords(boxID: string): Promise<BoxRecord[]> {
  const { records } = (await callApi(readProof, { params: { boxID } })) as OwnProof
  return records.filter((record) => 'data' in record)
}
