import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { Spinner } from '#web/components/spinner.tsx'

type Props = {
  value: string
  onChange: (box: string) => void
  error?: string | undefined
  hint?: string
  /** For wet fingers: one below the other, and higher. */
  large?: boolean
}

/** The number of a box: scanned from its label where the browser can, or typed. Not for pages of the server. */
export function BoxNumberField({ value, onChange, error, hint, large = false }: Props) {
  const [scanning, setScanning] = useState(false)
  if (scanning)
    return (
      <Scanner
        onFound={(box) => {
          setScanning(false)
          onChange(box)
        }}
        onStop={() => setScanning(false)}
      />
    )
  return (
    <div className={large ? 'grid gap-2' : 'flex flex-wrap items-end gap-3'}>
      <div className="min-w-52 flex-1">
        <InputField
          label="Box number"
          name="box"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value.trim())}
          error={error}
          hint={hint}
          className={large ? 'min-h-14 font-mono text-xl' : ''}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
        />
      </div>
      {canScan() && (
        <Button
          variant="outline"
          className={large ? 'min-h-14 text-lg' : ''}
          onClick={() => setScanning(true)}
        >
          Scan the label
        </Button>
      )}
    </div>
  )
}

const ScanCode = lazy(() => import('./scan-code.tsx'))

/** Whether this browser reads codes by a camera. Not to be asked on the server. */
export const canScan = (): boolean => 'BarcodeDetector' in window && 'mediaDevices' in navigator

/** Reads the code of a box by the camera; its script is loaded when it is first shown. */
export const Scanner = (props: ComponentProps<typeof ScanCode>) => (
  <Suspense fallback={<Spinner label="Loading the scanner" />}>
    <ScanCode {...props} />
  </Suspense>
)
