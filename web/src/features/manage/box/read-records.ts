import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import type { BoxRecord, ProofBundle } from '@befaqt/provenance'
import { callApi } from '#web/api/call-api.ts'

/** Every record of a box with what it says; withheld ones are left out. @throws ShopError */
export async function readRecords(boxID: string): Promise<BoxRecord[]> {
  const { records } = (await callApi(readProof, { params: { boxID } })) as ProofBundle
  return records.filter((record) => 'data' in record)
}
