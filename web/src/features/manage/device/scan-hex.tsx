import { type RefObject, useEffect, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { canScan, Scanner } from '#web/features/box/find/box-number-field.tsx'

type Props = {
  /** What the code shows, in words. */
  what: string
  /** Characters of it. */
  length: number
  into: RefObject<HTMLTextAreaElement | null>
}

/** Reads bytes in hex from a code that a device shows, where the browser can; they are put into a field. */
export function ScanHex({ what, length, into }: Props) {
  const [can, setCan] = useState(false)
  const [open, setOpen] = useState(false)
  useEffect(() => setCan(canScan()), [])
  if (!can) return null
  if (!open)
    return (
      <div>
        <Button variant="outline" onClick={() => setOpen(true)}>
          Scan the {what}
        </Button>
      </div>
    )
  const hex = new RegExp(`^[0-9a-f]{${length}}$`)
  const onFound = (found: string) => {
    if (into.current) {
      into.current.value = found
      into.current.dispatchEvent(new Event('input', { bubbles: true }))
    }
    setOpen(false)
  }
  return (
    <div className="max-w-sm">
      <Scanner
        onFound={onFound}
        onStop={() => setOpen(false)}
        read={(text) => (hex.test(text.trim().toLowerCase()) ? text.trim().toLowerCase() : null)}
        otherwise={`That code is not a ${what}: ${length} characters from 0 to f are expected.`}
      />
    </div>
  )
}
