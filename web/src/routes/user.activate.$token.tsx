import { activate } from '@befaqt/domain/api/endpoints/sign-in'
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { failureText } from '#web/features/account/account-form.tsx'
import { AccountLayout, LoginButton } from '#web/features/account/signed-out.tsx'

export default function ActivationPage() {
  const { token = '' } = useParams()
  return (
    <AccountLayout title="Activate account" needsScript>
      <Activation key={token} token={token} />
    </AccountLayout>
  )
}

type State = { kind: 'working' } | { kind: 'done'; email: string } | { kind: 'failed'; failure: unknown }

/**
 * Opens the account of an activation link. The page's script does it and not the page's address, since mail
 * programs look at addresses before their owners do.
 */
function Activation({ token }: { token: string }) {
  const [state, setState] = useState<State>({ kind: 'working' })
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    callApi(activate, { body: { token } }).then(
      ({ email }) => setState({ kind: 'done', email }),
      (failure: unknown) => setState({ kind: 'failed', failure }),
    )
  }, [token])
  if (state.kind === 'working') return <Spinner label="Activating your account" />
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
