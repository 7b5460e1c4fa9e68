import { type ComponentProps, lazy, Suspense } from 'react'
import { Spinner } from '#web/components/spinner.tsx'

const ScanCode = lazy(() => import('./scan-code.tsx'))

/** Whether this browser reads codes by a camera. Not to be asked on the server. */
export const canScan = (): boolean => 'BarcodeDetector' in window && 'mediaDevices' in navigator

/** Reads the code of a box by the camera; its script is loaded when it is first shown. */
export const Scanner = (props: ComponentProps<typeof ScanCode>) => (
  <Suspense fallback={<Spinner label="Loading the scanner" />}>
    <ScanCode {...props} />
  </Suspense>
)
