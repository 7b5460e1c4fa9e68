import { ShopError } from '@befaqt/domain/errors'
import type { ReactNode } from 'react'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { LogInBeside } from '#web/features/account/log-in-again.tsx'

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

export const isLoggedOut = (error: unknown): boolean =>
  error instanceof ShopError && error.code === 'auth.required'

/** What to do after a session that ended: what was typed can be saved again. */
export const LogInAgain = () => <LogInBeside then="save again" />

/** Why what was sent was refused; after a session that ended with the way to log in and send it again. */
export const FailureBanner = ({ error, onDismiss }: { error: unknown; onDismiss?: () => void }) => (
  <ErrorBanner message={userMessage(error)} {...(onDismiss && { onDismiss })}>
    {isLoggedOut(error) && <LogInAgain />}
  </ErrorBanner>
)

/** What was done last. Above a list it gets a height, so that no row moves when it is told. */
export const StatusMessage = ({ message, className = '' }: { message: string; className?: string }) => (
  <p role="status" className={`text-good ${className}`}>
    {message}
  </p>
)

type ActionsProps = {
  ready: boolean
  busy: boolean
  save?: string | undefined
  onCancel?: (() => void) | undefined
  cancel?: string | undefined
}

/** Save and Cancel below a form. */
export function FormActions({ ready, busy, save = 'Save', onCancel, cancel = 'Cancel' }: ActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" variant="primary" disabled={!ready} aria-busy={busy}>
        {busy ? 'One moment…' : save}
      </Button>
      {onCancel && (
        <Button variant="outline" onClick={onCancel}>
          {cancel}
        </Button>
      )}
    </div>
  )
}

/** How much of an upload has left, from 0 to 1. */
export const UploadProgress = ({ progress }: { progress: number }) => (
  <label className="flex items-center gap-3 text-slate">
    Uploading pictures
    <progress className="h-3 w-40 accent-teal" value={progress} max={1} />
    <span>{Math.round(progress * 100)}%</span>
  </label>
)
