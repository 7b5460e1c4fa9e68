import type { ReactNode } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'

type Props = { message: string; onDismiss?: () => void; children?: ReactNode }

/** The red banner of spec §2: 'Error: {message}'; `children` is what can be done about it. */
export function ErrorBanner({ message, onDismiss, children }: Props) {
  return (
    <Alert tone="bad" className="mb-4" {...(onDismiss && { onDismiss })}>
      <p>Error: {message}</p>
      {children}
    </Alert>
  )
}

type ActionsProps = {
  ready: boolean
  busy: boolean
  save?: string | undefined
  onCancel?: (() => void) | undefined
}

/** Save and Cancel below a form. */
export function FormActions({ ready, busy, save = 'Save', onCancel }: ActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" variant="primary" disabled={!ready} aria-busy={busy}>
        {busy ? 'One moment…' : save}
      </Button>
      {onCancel && (
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}

/** How much of an upload has left, from 0 to 1. */
export const UploadProgress = ({ progress }: { progress: number }) => (
  <label className="flex items-center gap-3 text-slate">
    Sending pictures
    <progress className="h-3 w-40 accent-teal" value={progress} max={1} />
    <span>{Math.round(progress * 100)}%</span>
  </label>
)
