import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import type { BoxRecord, WithheldRecord } from '@befaqt/provenance'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'

/** What a proof of this shop shows: its records are of the kinds that it knows. */
type OwnProof = { records: (BoxRecord | WithheldRecord)[] }

/** The first `count` records of a box with what they say; withheld ones are left out. @throws ShopError */
async function readRecords(boxID: string, count: number): Promise<BoxRecord[]> {
  const { records } = (await callApi(readProof, { params: { boxID } })) as OwnProof
  return records.slice(0, count).filter((record) => 'data' in record)
}

/** Every record that the page counts, read again when there are more. */
export function useRecords(boxID: string, count: number) {
  const [records, setRecords] = useState<readonly BoxRecord[] | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    readRecords(boxID, count).then(
      (read) => {
        if (!isCurrent) return
        setRecords(read)
        setFailure(null)
      },
      (error: unknown) => isCurrent && setFailure(userMessage(error)),
    )
    return () => {
      isCurrent = false
    }
  }, [boxID, count])
  return { records, failure }
}
