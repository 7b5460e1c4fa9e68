import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import type { BoxRecord, WithheldRecord } from '@befaqt/provenance'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'

/** What a proof of this shop shows: its records are of the kinds that it knows. */
type OwnProof = { records: (BoxRecord | WithheldRecord)[] }

/** Every record of a box with what it says; withheld ones are left out. @throws ShopError */
async function readRecords(boxID: string): Promise<BoxRecord[]> {
  const { records } = (await callApi(readProof, { params: { boxID } })) as OwnProof
  return records.filter((record) => 'data' in record)
}

/** Every record with what it says, read again when their number changes. */
export function useRecords(boxID: string, count: number) {
  const [records, setRecords] = useState<readonly BoxRecord[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when there are more
  useEffect(() => {
    let isCurrent = true
    readRecords(boxID).then(
      (read) => isCurrent && setRecords(read),
      (error: unknown) => isCurrent && setFailure(userMessage(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [boxID, count])
  return { records, failure }
}
