import { signUp } from '@befaqt/domain/api/endpoints/sign-in'
import { hoursText, LINK_HOURS } from '@befaqt/domain/link-hours'
import { useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptTexts } from '#web/forms/use-kept-form.ts'
import { useSite } from '#web/root-data.ts'
import { AccountForm, SubmitButton } from './account-form.tsx'
import { activationLink } from './activation-again.tsx'
import { keepNext } from './kept-next.ts'
import { MailSent } from './mail-sent.tsx'
import { PersonFields } from './new-password-fields.tsx'
import { withNext } from './safe-redirect.ts'
import { schemaOf } from './schema-of.ts'
import { useNext } from './use-next.ts'

/** Create an account; then says that an email was sent. Source: spec §2. */
export function SignUpForm() {
  const site = useSite()
  const [sentTo, setSentTo] = useState('')
  const next = useNext()
  const form = useForm(
    schemaOf('SignUp'),
    async (input) => {
      await callApi(signUp, { body: input })
      kept.saved()
      keepNext(next)
      setSentTo(input.email)
    },
    site && { actLink: activationLink(site.publicUrl) },
  )
  const kept = useKeptTexts('sign up', form)
  if (sentTo !== '')
    return (
      <MailSent text={`An activation email was sent to ${sentTo}.`}>
        Open the link in it within {hoursText(LINK_HOURS.activate)}. If it does not come, it may be in your
        spam or junk folder.
      </MailSent>
    )
  return (
    <AccountForm form={form} onChange={kept.onChange}>
      <PersonFields errors={form.errors} />
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
