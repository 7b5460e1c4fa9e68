import { isEmailAddress, normalizeEmail } from '@befaqt/domain/account-rules'
import { forgotPassword } from '@befaqt/domain/api/endpoints/sign-in'
import { ShopError } from '@befaqt/domain/errors'
import { hoursText, LINK_HOURS } from '@befaqt/domain/link-hours'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { EmailField } from '#web/features/account/account-fields.tsx'
import { FailureAlert, SubmitButton } from '#web/features/account/account-form.tsx'
import { keepNext } from '#web/features/account/kept-next.ts'
import { usePlainForm, useSentForm } from '#web/features/account/plain-form.ts'
import { withNext } from '#web/features/account/safe-redirect.ts'
import { schemaOf } from '#web/features/account/schema-of.ts'
import { AccountLayout, MailSent, resetLink, useFormValidity } from '#web/features/account/signed-out.tsx'
import { useNext } from '#web/features/account/use-next.ts'
import { useSite } from '#web/root-data.ts'

const FOUND = {
  canonical: '/user/forgotpassword',
  description: 'Have a link sent with which you choose another password.',
}

export default function ForgotPasswordPage() {
  return (
    <AccountLayout title="Forgot password" found={FOUND}>
      <ForgotForm />
    </AccountLayout>
  )
}

const emailIsValid = ({ email }: Record<string, unknown>): boolean =>
  typeof email === 'string' && isEmailAddress(normalizeEmail(email))

/** Asks for a recovery email; the button waits for a valid address. Source: spec §2, §5. */
function ForgotForm() {
  const site = useSite()
  const sent = useSentForm()
  const [sentTo, setSentTo] = useState(sent.answer === null ? '' : (sent.typed.email ?? ''))
  const next = useNext()
  useEffect(() => {
    if (sent.answer !== null) keepNext(next)
  }, [sent, next])
  const hydrated = useHydrated()
  const form = usePlainForm(
    schemaOf('ForgotPassword'),
    async (input) => {
      await callApi(forgotPassword, { body: input })
      keepNext(next)
      setSentTo(input.email)
    },
    sent,
    site && { resetPasswordLink: resetLink(site.publicUrl) },
  )
  const valid = useFormValidity(form.formProps.ref, emailIsValid)
  if (sentTo !== '')
    return (
      <MailSent text={`The recovery email was sent to ${sentTo}.`}>
        If you do not see it, it may be in your spam or junk folder. Its link works once, within{' '}
        {hoursText(LINK_HOURS.reset)}.
      </MailSent>
    )
  return (
    <form {...form.formProps} className="grid gap-5">
      <p className="text-slate">We send you a link to set a new password.</p>
      <ForgotFailure failure={form.failure} onDismiss={form.dismiss} />
      <EmailField errors={form.errors} email={sent.typed.email} />
      <SubmitButton ready={valid || !hydrated} busy={form.busy}>
        Send recovery email
      </SubmitButton>
      <Link to={withNext('/user/signin', next)} className="link justify-self-start py-2">
        Back to login
      </Link>
    </form>
  )
}

/** Of an unknown address: the server's text plus ' Please create an account.' Source: spec §8. */
function ForgotFailure({ failure, onDismiss }: { failure: unknown; onDismiss: () => void }) {
  const createAccount = withNext('/user/signup', useNext())
  if (!(failure instanceof ShopError) || failure.status !== 404)
    return <FailureAlert failure={failure} onDismiss={onDismiss} />
  return (
    <Alert tone="bad" onDismiss={onDismiss}>
      Error: 404: {failure.message} Please create an account.{' '}
      <Link to={createAccount} className="inline-block py-2 font-semibold underline">
        Create account
      </Link>
    </Alert>
  )
}
