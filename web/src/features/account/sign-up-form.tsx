import { SignUp } from '@befaqt/domain/account'
import { useState } from 'react'
import { Link } from 'react-router'
import { useSite } from '#web/root-data.ts'
import { activationLink } from './activation-again.tsx'
import { accountCalls } from './calls.ts'
import { FailureAlert } from './failure-alert.tsx'
import { GoButton } from './go-button.tsx'
import { OutboxHint } from './outbox-hint.tsx'
import { PersonFields } from './person-fields.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useForm } from './use-form.ts'

/** Create an account; then says that a mail was sent. Source: spec §2. */
export function SignUpForm() {
  const site = useSite()
  const [sentTo, setSentTo] = useState('')
  const form = useForm(
    SignUp,
    async (input) => {
      await accountCalls.signUp(input)
      setSentTo(input.email)
    },
    site && { actLink: activationLink(site.publicUrl) },
  )
  if (sentTo !== '') return <ActivationSent email={sentTo} />
  return (
    <form {...form.formProps} className="grid gap-5">
      <FailureAlert failure={form.failure} onDismiss={form.dismiss} />
      <PersonFields errors={form.errors} />
      <SubmitButton ready={form.ready} busy={form.busy}>
        Create account
      </SubmitButton>
      <p>
        Have an account?{' '}
        <Link to="/user/signin" className="link py-2">
          Login
        </Link>
      </p>
    </form>
  )
}

const ActivationSent = ({ email }: { email: string }) => (
  <div role="status">
    <p className="text-lg">An activation e-mail was sent to {email}.</p>
    <p className="mt-2 text-slate">
      Open the link in it within 24 hours. If it does not come, it may be in your spam or junk folder.
    </p>
    <OutboxHint />
    <GoButton to="/user/signin" className="mt-6">
      Return
    </GoButton>
  </div>
)
