import { signUp } from '@befaqt/domain/api/endpoints/sign-in'
import { hoursText, LINK_HOURS } from '@befaqt/domain/link-hours'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { AccountForm, SubmitButton } from '#web/features/account/account-form.tsx'
import { PersonFields } from '#web/features/account/credential-fields.tsx'
import { keepNext } from '#web/features/account/kept-next.ts'
import { usePlainForm, useSentForm } from '#web/features/account/plain-form.ts'
import { withNext } from '#web/features/account/safe-redirect.ts'
import { schemaOf } from '#web/features/account/schema-of.ts'
import { AccountLayout, activationLink, MailSent } from '#web/features/account/signed-out.tsx'
import { useNext } from '#web/features/account/use-next.ts'
import { useKeptTexts } from '#web/forms/use-kept-form.ts'
import { useSite } from '#web/root-data.ts'

const FOUND = {
  canonical: '/user/signup',
  description: 'Make an account: your orders, addresses and favourites in one place.',
}

export default function SignUpPage() {
  return (
    <AccountLayout title="Create account" found={FOUND}>
      <SignUpForm />
    </AccountLayout>
  )
}

/** Create an account; then says that an email was sent. Source: spec §2. */
function SignUpForm() {
  const site = useSite()
  const sent = useSentForm()
  const [sentTo, setSentTo] = useState(sent.answer === null ? '' : (sent.typed.email ?? ''))
  const next = useNext()
  useEffect(() => {
    if (sent.answer !== null) keepNext(next)
  }, [sent, next])
  const form = usePlainForm(
    schemaOf('SignUp'),
    async (input) => {
      await callApi(signUp, { body: input })
      kept.saved()
      keepNext(next)
      setSentTo(input.email)
    },
    sent,
    site && { actLink: activationLink(site.publicUrl) },
  )
  const kept = useKeptTexts('sign up', form, sent.typed)
  if (sentTo !== '')
    return (
      <MailSent text={`An activation email was sent to ${sentTo}.`}>
        Open the link in it within {hoursText(LINK_HOURS.activate)}. If it does not come, it may be in your
        spam or junk folder.
      </MailSent>
    )
  return (
    <AccountForm form={form} onChange={kept.onChange}>
      <PersonFields errors={form.errors} typed={sent.typed} />
      <SubmitButton ready={form.ready} busy={form.busy}>
        Create account
      </SubmitButton>
      <p>
        Have an account?{' '}
        <Link to={withNext('/user/signin', next)} className="link py-2">
          Log in
        </Link>
      </p>
    </AccountForm>
  )
}
