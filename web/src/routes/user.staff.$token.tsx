import { joinStaff, readStaffLink } from '@befaqt/domain/api/endpoints/staff'
import type { StaffInvited } from '@befaqt/domain/staff'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { NameFields, PhoneField } from '#web/features/account/account-fields.tsx'
import {
  AccountForm,
  FailureAlert,
  failureText,
  LinkButton,
  SubmitButton,
} from '#web/features/account/account-form.tsx'
import { NewPasswordFields } from '#web/features/account/credential-fields.tsx'
import { schemaOf } from '#web/features/account/schema-of.ts'
import { AccountLayout } from '#web/features/account/signed-out.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useSite } from '#web/root-data.ts'

export default function StaffInvitationPage() {
  const { token = '' } = useParams()
  const [tries, setTries] = useState(0)
  return (
    <AccountLayout title="Work at the desk" needsScript>
      <Invitation key={`${token} ${tries}`} token={token} onAgain={() => setTries(tries + 1)} />
    </AccountLayout>
  )
}

type Shown = { invited: StaffInvited } | { failure: unknown } | null

/**
 * Says what the invitation is, and takes it up by a button: mail programs look at addresses before their owners do, and
 * nothing is given by looking.
 */
function Invitation({ token, onAgain }: { token: string; onAgain: () => void }) {
  const [shown, setShown] = useState<Shown>(null)
  const [joined, setJoined] = useState<string | null>(null)
  useEffect(() => {
    let isOver = false
    callApi(readStaffLink, { body: { token } }).then(
      (invited) => !isOver && setShown({ invited }),
      (failure: unknown) => !isOver && setShown({ failure }),
    )
    return () => {
      isOver = true
    }
  }, [token])
  if (joined !== null) return <Joined email={joined} />
  if (shown === null)
    return (
      <div className="noscript:hidden">
        <Spinner label="Looking at the invitation" />
      </div>
    )
  if ('failure' in shown)
    return (
      <div className="grid gap-5">
        <Alert tone="bad">{failureText(shown.failure)}</Alert>
        <Button variant="outline" onClick={onAgain}>
          Try again
        </Button>
      </div>
    )
  const props = { token, invited: shown.invited, onJoined: setJoined }
  return (
    <div className="grid gap-5">
      <Gives invited={shown.invited} />
      {shown.invited.hasAccount ? <Accept {...props} /> : <NewPersonForm {...props} />}
    </div>
  )
}

function Gives({ invited: { email, rights } }: { invited: StaffInvited }) {
  const name = useSite()?.name ?? 'The shop'
  const [words, setWords] = useState<Readonly<Record<string, string>>>({})
  // The words come with the schemas, which no page has in its first script.
  useEffect(() => {
    import('@befaqt/domain/staff').then(
      ({ rightWords }) => setWords(rightWords),
      () => undefined, // their names are shown
    )
  }, [])
  return (
    <>
      <p>
        {name} invites <b className="wrap-anywhere">{email}</b> to work at its desk, with:
      </p>
      <ul className="list-disc pl-5">
        {rights.map((right) => (
          <li key={right}>{words[right] ?? right}</li>
        ))}
      </ul>
    </>
  )
}

type TakeUpProps = { token: string; invited: StaffInvited; onJoined: (email: string) => void }

function Accept({ token, invited, onJoined }: TakeUpProps) {
  const { busy, failure, dismiss, run } = useCall()
  return (
    <>
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <p className="text-slate">There is an account with this address: it keeps its name and its password.</p>
      <Button
        variant="primary"
        aria-busy={busy}
        onClick={() =>
          void run(async () => {
            await callApi(joinStaff, { body: { token } })
            onJoined(invited.email)
          })
        }
      >
        Accept
      </Button>
    </>
  )
}

function NewPersonForm({ token, invited, onJoined }: TakeUpProps) {
  const form = useForm(schemaOf('InvitedPerson'), async (person) => {
    await callApi(joinStaff, { body: { token, person } })
    onJoined(invited.email)
  })
  return (
    <AccountForm form={form}>
      <p className="text-slate">There is no account with this address yet. Who are you?</p>
      <NameFields errors={form.errors} />
      <PhoneField errors={form.errors} optional />
      <NewPasswordFields errors={form.errors} />
      <SubmitButton ready={form.ready} busy={form.busy}>
        Make my account
      </SubmitButton>
    </AccountForm>
  )
}

const Joined = ({ email }: { email: string }) => (
  <div role="status">
    <p className="text-lg">
      You can work at the desk from now on. Log in as <b className="wrap-anywhere">{email}</b>.
    </p>
    <LinkButton to="/user/signin?next=%2Fmanage" variant="primary" className="mt-6">
      Log in
    </LinkButton>
  </div>
)
