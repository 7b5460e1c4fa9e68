import { readTrade } from '@befaqt/domain/api/endpoints/box-page'
import { type ReactNode, useCallback } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRead } from '#web/api/use-read.ts'

/** What GDST asks for and no record of the box says, step by step. @param loading what is shown until that is known */
export default function Lacking({ boxID, loading }: { boxID: string; loading: ReactNode }) {
  const read = useCallback(() => callApi(readTrade, { params: { boxID } }), [boxID])
  const { value: trade, failure } = useRead(read)
  if (failure !== null) return <p>{userMessage(failure)}</p>
  if (trade === null) return loading
  return (
    <div className="max-w-2xl">
      {trade.sscc && <p className="tabular-nums">SSCC {trade.sscc}</p>}
      {trade.lacking.length === 0 ? (
        <p>The document holds every key data element of GDST 1.2.</p>
      ) : (
        <details>
          <summary className="link tap font-semibold">What it lacks, since no record says it</summary>
          <dl className="mt-2 grid gap-2">
            {trade.lacking.map(({ step, isRecorded, words }) => (
              <div key={step} className="sm:grid sm:grid-cols-[12rem_1fr] sm:gap-4">
                <dt className="font-semibold">{step}</dt>
                <dd className="text-slate">{isRecorded ? words.join(', ') : 'not recorded'}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  )
}
