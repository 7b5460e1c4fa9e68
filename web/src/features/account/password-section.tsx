import { useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { useLatePart } from './use-late-part.ts'

type State = 'closed' | 'open' | 'done'

/** Changes the password; all other sessions end. */
export function PasswordSection({ email }: { email: string }) {
  const [state, setState] = useState<State>('closed')
  const hydrated = useHydrated()
  const { part, busy, failure, dismiss, fetch } = useLatePart(() => import('./password-form.tsx'))
  if (state === 'open' && part)
    return (
      <part.PasswordForm email={email} onDone={() => setState('done')} onCancel={() => setState('closed')} />
    )
  const open = () => {
    setState('open')
    fetch()
  }
  return (
    <div className="grid justify-items-start gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      {state === 'done' && (
        <Alert tone="good">The password was changed. Everywhere else you have been logged out.</Alert>
      )}
      <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={open}>
        Change password
      </Button>
    </div>
  )
}
