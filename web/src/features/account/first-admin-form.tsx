import { FirstAdmin } from '@befaqt/domain/account'
import { useState } from 'react'
import { accountCalls } from './calls.ts'
import { FailureAlert } from './failure-alert.tsx'
import { GoButton } from './go-button.tsx'
import { PersonFields } from './person-fields.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useForm } from './use-form.ts'

/** Makes the first administrator by the link that the server printed at its start. */
export function FirstAdminForm({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  const form = useForm(
    FirstAdmin,
    async (input) => {
      await accountCalls.firstAdmin(input)
      setDone(true)
    },
    { token },
  )
  if (done)
    return (
      <div role="status">
        <p className="text-lg">You are the administrator of this shop.</p>
        <GoButton to="/user/signin" look="main" className="mt-6">
          Login
        </GoButton>
      </div>
    )
  return (
    <form {...form.formProps} className="grid gap-5">
      <p className="text-slate">This account may manage users, categories, products and boxes.</p>
      <FailureAlert failure={form.failure} onDismiss={form.dismiss} />
      <PersonFields errors={form.errors} />
      <SubmitButton ready={form.ready} busy={form.busy}>
        Create administrator
      </SubmitButton>
    </form>
  )
}
