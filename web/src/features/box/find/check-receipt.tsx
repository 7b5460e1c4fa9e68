import { FormatError } from '@befaqt/provenance'
import { findReceipt } from '@befaqt/provenance/log/receipt'
import { findingText, noReceiptWords, receiptWords } from '@befaqt/provenance/log/receipt-words'
import { useEffect, useState } from 'react'
import { saveFile } from '#web/api/download.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import { type Held, holdAgainstLog } from '../check/shop-log.ts'

/** Checks a receipt in this browser: does the log of today hold all that it promised? */
export default function CheckReceipt({ text }: { text: string }) {
  const [held, setHeld] = useState<Held | null>(null)
  useEffect(() => {
    let isGone = false
    void find(text).then((found) => isGone || setHeld(found))
    return () => {
      isGone = true
    }
  }, [text])
  return held === null ? <Spinner label="Comparing with the log of now" /> : <LogFinding held={held} />
}

async function find(text: string): Promise<Held> {
  try {
    return await holdAgainstLog(findReceipt(text))
  } catch (error) {
    return { problem: noReceiptWords(error instanceof FormatError ? error : { path: '$' }) }
  }
}

/** What came of holding something against the log, and what to do; to be saved where it is to be shown to others. */
export function LogFinding({ held }: { held: Held }) {
  const zone = useMarketZone()
  if ('problem' in held) return <Alert tone="warn">{held.problem}</Alert>
  const when = (seconds: number) => formatTime(new Date(seconds * 1000).toISOString(), zone)
  const { tone, title, message, todo } = receiptWords(held.result, when)
  return (
    <>
      <Alert tone={tone}>
        <b className="font-semibold">{title}.</b> <span className="wrap-anywhere text-ink">{message}</span>
      </Alert>
      {todo !== null && (
        <p className="mt-3 max-w-prose">
          <b className="font-semibold">What to do:</b> {todo}
        </p>
      )}
      {tone === 'bad' && (
        <div className="mt-3">
          <Button variant="outline" onClick={() => saveFile(findingFile(held), 'finding-of-a-receipt.txt')}>
            Save this finding
          </Button>
        </div>
      )}
    </>
  )
}

const findingFile = ({ result, note }: Extract<Held, { result: unknown }>): Blob =>
  new Blob([findingText(result, { note, time: new Date().toISOString(), place: location.origin })], {
    type: 'text/plain',
  })
