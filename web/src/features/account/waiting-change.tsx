import type { EmailChangeView, ProfileView } from '@befaqt/domain/api/account-api'
import { dropEmailChange } from '@befaqt/domain/api/endpoints/own-account'
import { callApi } from '#web/api/call-api.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { Time } from '#web/time/time.tsx'
import { FailureAlert } from './account-form.tsx'

type Props = { profile: ProfileView; change: EmailChangeView }

/** Which address is still to confirm, until when, and a way to drop it. */
export default function WaitingChange({ profile, change }: Props) {
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
