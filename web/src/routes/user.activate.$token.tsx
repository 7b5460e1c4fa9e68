import { activate } from '@befaqt/domain/api/endpoints/sign-in'
import type { SentForm } from '@befaqt/domain/api/sent-form'
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { callApi, refusal } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { failureText } from '#web/features/account/account-form.tsx'
import { useSentForm } from '#web/features/account/plain-form.ts'
import { AccountLayout, LoginButton } from '#web/features/account/signed-out.tsx'

export default function ActivationPage() {
  const { token = '' } = useParams()
  return (
    <AccountLayout title="Activate account">
      <Activation key={token} token={token} />
    </AccountLayout>
  )
}

type State = { kind: 'working' } | { kind: 'done'; email: string } | { kind: 'failed'; failure: unknown }

/** What became of it where the page was sent as a form, before its script ran or without it. */
function stateOf({ answer, refusal: refused }: SentForm): State {
  if (refused !== null) return { kind: 'failed', failure: refusal(refused, refused.status) }
  return answer === null ? { kind: 'working' } : { kind: 'done', email: (answer as { email: string }).email }
}

/**
 * Opens the account of an activation link. The page's script does it, or a button where there is none, and not the page's
 * address, since mail programs look at addresses before their owners do.
 */
function Activation({ token }: { token: string }) {
  const [state, setState] = useState(stateOf(useSentForm()))
  const begun = useRef(state.kind !== 'working')
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    callApi(activate, { body: { token } }).then(
      ({ email }) => setState({ kind: 'done', email }),
      (failure: unknown) => setState({ kind: 'failed', failure }),
    )
  }, [token])
  if (state.kind === 'working')
    return (
      <>
        <div className="noscript:hidden">
          <Spinner label="Activating your account" />
        </div>
        <form method="post" className="hidden noscript:block">
          <Button type="submit" variant="primary">
            Activate my account
          </Button>
        </form>
      </>
    )
  if (state.kind === 'failed') return <ActivationFailed failure={state.failure} />
  return (
    <div role="status">
      <p className="text-lg">The account of {state.email} is active.</p>
      <LoginButton variant="primary" />
    </div>
  )
}

const ActivationFailed = ({ failure }: { failure: unknown }) => (
  <>
    <Alert tone="bad">{failureText(failure)}</Alert>
    <p className="mt-4 text-slate">
      If your account is active already, log in. If not, log in with your password too: you can have another
      link sent there.
    </p>
    <LoginButton />
  </>
)
