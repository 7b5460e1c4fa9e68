import type { EmailChangeView, ProfileView } from '@befaqt/domain/api/account-api'
import { dropEmailChange } from '@befaqt/domain/api/endpoints/account'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Time } from '#web/time/time.tsx'
import { FailureAlert } from './account-form.tsx'
import { useLatePart } from './use-late-part.ts'

type Props = { profile: ProfileView; change: EmailChangeView | null }

/** The email of the account, and its change, which waits until both addresses have confirmed it. */
export function EmailSection({ profile, change }: Props) {
  const [open, setOpen] = useState(false)
  const hydrated = useHydrated()
  const { part, busy, failure, dismiss, fetch } = useLatePart(() => import('./email-form.tsx'))
  if (open && part) return <part.EmailForm onEnd={() => setOpen(false)} />
  const begin = () => {
    setOpen(true)
    fetch()
  }
  return (
    <div className="grid justify-items-start gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <p className="wrap-anywhere">{profile.email}</p>
      {change && <WaitingChange profile={profile} change={change} />}
      <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={begin}>
        {change ? 'Change to another email' : 'Change email'}
      </Button>
    </div>
  )
}

/** Which address is still to confirm, until when, and a way to drop it. */
function WaitingChange({ profile, change }: { profile: ProfileView; change: EmailChangeView }) {
  const { busy, failure, dismiss, run } = useRevalidatingCall()
  const open = [
    ...(change.oldConfirmed ? [] : [profile.email]),
    ...(change.newConfirmed ? [] : [change.email]),
  ]
  return (
    <div role="status" className="grid w-full justify-items-start gap-3 rounded-md bg-ice p-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <p className="wrap-anywhere">
        It becomes <strong>{change.email}</strong> when both addresses have confirmed it, until{' '}
        <Time at={change.until} />. We wrote to both.
      </p>
      <p className="wrap-anywhere text-slate">Not confirmed yet: {open.join(' and ')}</p>
      <Button variant="outline" aria-busy={busy} onClick={() => void run(() => callApi(dropEmailChange))}>
        Keep the email as it is
      </Button>
    </div>
  )
}
