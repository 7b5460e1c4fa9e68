import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import type { BoxRecord, WithheldRecord } from '@befaqt/provenance'
import { useCallback } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useRead } from '#web/api/use-read.ts'

/** What a proof of this shop shows: its records are of the kinds that it knows. */
type OwnProof = { records: (BoxRecord | WithheldRecord)[] }

/** The first `count` records of a box with what they say; withheld ones are left out. @throws ShopError */
async function readRecords(boxID: string, count: number): Promise<BoxRecord[]> {
  const { records } = (await callApi(readProof, { params: { boxID } })) as OwnProof
  return records.slice(0, count).filter((record) => 'data' in record)
}

/** Every record that the page counts, read again when there are more. */
export const useRecords = (boxID: string, count: number) =>
  useRead(useCallback(() => readRecords(boxID, count), [boxID, count]))
