import { answerEmailChange } from '@befaqt/domain/api/endpoints/own-account'
import { useState } from 'react'
import { useParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureAlert } from '#web/features/account/account-form.tsx'
import { AccountLayout, LoginButton } from '#web/features/account/signed-out.tsx'

export default function EmailChangePage() {
  const { token = '' } = useParams()
  return (
    <AccountLayout title="Change of email" needsScript>
      <EmailChange key={token} token={token} />
    </AccountLayout>
  )
}

const said = {
  half: 'Thank you. The email changes when the other address has confirmed it, too: we wrote to both.',
  done: 'Both addresses have confirmed it: the email of the account is changed. Log in with the new one from now on.',
  dropped: 'The account keeps its email. If you did not ask for this change, set a new password, too.',
} as const

/**
 * Asks whoever opened the link whether the change is right. A button says so and not the page's address, since mail
 * programs look at addresses before their owners do.
 */
function EmailChange({ token }: { token: string }) {
  const [state, setState] = useState<keyof typeof said | null>(null)
  const { busy, failure, dismiss, run } = useCall()
  const hydrated = useHydrated()
  const answer = (isRight: boolean): void =>
    void run(async () => setState((await callApi(answerEmailChange, { body: { token, isRight } })).state))
  if (state !== null)
    return (
      <div role="status">
        <p className="text-lg">{said[state]}</p>
        {state === 'done' && <LoginButton variant="primary" />}
      </div>
    )
  return (
    <div className="grid gap-5">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <p>
        Somebody who is logged in asked to change the email of an account from one address to another. This
        link came to one of the two. Is it right?
      </p>
      <div className="flex flex-wrap gap-3">
        <Button disabled={!hydrated} aria-busy={busy} onClick={() => answer(true)}>
          Confirm the change
        </Button>
        <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={() => answer(false)}>
          It was not me
        </Button>
      </div>
    </div>
  )
}
