import { NewPassword, ResetPassword } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import { useState } from 'react'
import { Link } from 'react-router'
import { accountCalls } from './calls.ts'
import { FailureAlert } from './failure-alert.tsx'
import { GoButton } from './go-button.tsx'
import { NewPasswordFields } from './person-fields.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useForm } from './use-form.ts'
import { useFormState } from './use-form-state.ts'

/** Words of spec §5. */
const MISMATCH = "Confirm password doesn't match! Try again."

const Form = ResetPassword.loose().refine((form) => form.password === form.confirmPassword, {
  path: ['confirmPassword'],
  error: MISMATCH,
})

const readyToSend = ({ password, confirmPassword }: Record<string, unknown>): boolean =>
  NewPassword.safeParse(password).success && typeof confirmPassword === 'string' && confirmPassword !== ''

/** Sets a new password by the mailed link. Source: spec §2, §5. */
export function ResetForm({ emailToken }: { emailToken: string }) {
  const [done, setDone] = useState(false)
  const form = useForm(
    Form,
    async ({ password }) => {
      await accountCalls.resetPassword({ password, emailToken })
      setDone(true)
    },
    { emailToken },
  )
  const ready = useFormState(form.formProps.ref, readyToSend)
  if (done) return <ResetDone />
  const dead = form.failure instanceof ShopError && form.failure.code === 'token.invalid'
  return (
    <form {...form.formProps} className="grid gap-5">
      <FailureAlert failure={form.failure} onDismiss={form.dismiss}>
        {dead && (
          <Link to="/user/forgotpassword" className="block py-2 font-semibold underline">
            Ask for a new link
          </Link>
        )}
      </FailureAlert>
      <NewPasswordFields errors={form.errors} label="New password" />
      <SubmitButton ready={form.ready && ready} busy={form.busy}>
        Reset password
      </SubmitButton>
    </form>
  )
}

const ResetDone = () => (
  <div role="status">
    <p className="text-lg">Password Reset Done</p>
    <p className="mt-2 text-slate">Wherever you were logged in, you have been logged out.</p>
    <GoButton to="/user/signin" look="main" className="mt-6">
      Login
    </GoButton>
  </div>
)
