import { isLongEnough } from '@befaqt/domain/account-rules'
import { resetPassword } from '@befaqt/domain/api/endpoints/sign-in'
import { ShopError } from '@befaqt/domain/errors'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useHydrated } from '#web/components/hydration.tsx'
import { AccountForm, SubmitButton } from '#web/features/account/account-form.tsx'
import { NewPasswordFields } from '#web/features/account/credential-fields.tsx'
import { usePlainForm, useSentForm } from '#web/features/account/plain-form.ts'
import { schemaOf } from '#web/features/account/schema-of.ts'
import { AccountLayout, LoginButton, useFormValidity } from '#web/features/account/signed-out.tsx'

export default function ResetPasswordPage() {
  const { emailToken = '' } = useParams()
  return (
    <AccountLayout title="Reset password">
      <ResetForm emailToken={emailToken} />
    </AccountLayout>
  )
}

const readyToSend = ({ password, confirmPassword }: Record<string, unknown>): boolean =>
  typeof password === 'string' && isLongEnough(password) && confirmPassword !== ''

/** Sets a new password by the mailed link. Source: spec §2, §5. */
function ResetForm({ emailToken }: { emailToken: string }) {
  const sent = useSentForm()
  const [done, setDone] = useState(sent.answer !== null)
  const hydrated = useHydrated()
  const form = usePlainForm(
    schemaOf('ResetPassword'),
    async (body) => {
      await callApi(resetPassword, { body })
      setDone(true)
    },
    sent,
    { emailToken },
  )
  const ready = useFormValidity(form.formProps.ref, readyToSend)
  if (done) return <ResetDone />
  const dead = form.failure instanceof ShopError && form.failure.code === 'token.invalid'
  return (
    <AccountForm
      form={form}
      help={
        dead && (
          <Link to="/user/forgotpassword" className="block py-2 font-semibold underline">
            Ask for a new link
          </Link>
        )
      }
    >
      <NewPasswordFields errors={form.errors} label="New password" />
      <SubmitButton ready={ready || !hydrated} busy={form.busy}>
        Reset password
      </SubmitButton>
    </AccountForm>
  )
}

const ResetDone = () => (
  <div role="status">
    <p className="text-lg">Password Reset Done</p>
    <p className="mt-2 text-slate">Wherever you were logged in, you have been logged out.</p>
    <LoginButton variant="primary" />
  </div>
)
