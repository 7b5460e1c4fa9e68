import { lazy, Suspense, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { canScan } from '#web/features/box/find/scanner.tsx'

const ScanCode = lazy(() => import('#web/features/box/find/scan-code.tsx'))

type Props = {
  value: string
  onChange: (box: string) => void
  error?: string | undefined
  hint?: string
}

/** The number of a box: scanned from its label, or typed. */
export function BoxField({ value, onChange, error, hint }: Props) {
  const [scanning, setScanning] = useState(false)
  if (scanning)
    return (
      <Suspense fallback={<Spinner label="Starting the camera" />}>
        <ScanCode
          onFound={(box) => {
            setScanning(false)
            onChange(box)
          }}
          onStop={() => setScanning(false)}
        />
      </Suspense>
    )
  return (
    <div className="grid gap-2">
      <InputField
        label="Box number"
        name="box"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        error={error}
        hint={hint}
        className="min-h-14 font-mono text-xl"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
      />
      {canScan() && (
        <Button variant="outline" className="min-h-14 text-lg" onClick={() => setScanning(true)}>
          Scan the label
        </Button>
      )}
    </div>
  )
}
