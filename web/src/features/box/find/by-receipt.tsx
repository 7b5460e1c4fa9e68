import { Suspense, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { TextAreaField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { isReceipt } from './box-number.ts'
import { canScan, Scanner } from './box-number-field.tsx'

const CheckReceipt = lazyPart(() => import('./check-receipt.tsx'))
const SeenLog = lazyPart(() => import('./seen-log.tsx'))

/** Longest text that is taken: an email with its receipt. */
const MAX_TEXT = 200_000

/**
 * The line or code of a receipt, typed, pasted or scanned, and what this browser saw of the log by itself.
 * @param scanned a code that was read elsewhere on the page, which is checked at once; empty: none
 */
export function ByReceipt({ scanned }: { scanned: string }) {
  const hydrated = useHydrated()
  const [text, setText] = useState(scanned)
  const [scanning, setScanning] = useState(false)
  const [asked, setAsked] = useState(scanned === '' ? null : { text: scanned, nth: 0 })
  const check = (given: string) => setAsked((last) => ({ text: given, nth: (last?.nth ?? 0) + 1 }))
  if (scanning)
    return (
      <Scanner
        read={(code) => (isReceipt(code) ? code : null)}
        otherwise="That code is no receipt. It stands beside the line that begins with befaqt1."
        onFound={(code) => {
          setScanning(false)
          setText(code)
          check(code)
        }}
        onStop={() => setScanning(false)}
      />
    )
  return (
    <>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          check(text)
        }}
      >
        <TextAreaField
          label="Line or signed text of the receipt"
          name="receipt"
          rows={4}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          hint="From your order’s email, an invoice, a packing slip or a label. Paste the whole email if you like: it isn’t sent to us."
          className="font-mono text-sm"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={MAX_TEXT}
          disabled={!hydrated}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={!hydrated}>
            Check the receipt
          </Button>
          {hydrated && canScan() && (
            <Button variant="outline" onClick={() => setScanning(true)}>
              Scan its code
            </Button>
          )}
          <a href="/befaqt/log/receipt.txt" className="link tap" download="receipt.txt">
            Save a receipt of now
          </a>
        </div>
      </form>
      {asked && (
        <div className="mt-4">
          <Suspense fallback={<Spinner label="Loading the check" />}>
            <CheckReceipt key={asked.nth} text={asked.text} />
          </Suspense>
        </div>
      )}
      {hydrated && (
        <Suspense>
          <SeenLog />
        </Suspense>
      )}
    </>
  )
}
