import { setUpFirstAdmin } from '@befaqt/domain/api/endpoints/sign-in'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useForm } from '#web/forms/use-form.ts'
import { AccountForm, LinkButton, SubmitButton } from './account-form.tsx'
import { PersonFields } from './new-password-fields.tsx'
import { schemaOf } from './schema-of.ts'

/** Makes the first administrator by the link that the server printed at its start. */
export function FirstAdminForm({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  const form = useForm(
    schemaOf('FirstAdmin'),
    async (body) => {
      await callApi(setUpFirstAdmin, { body })
      setDone(true)
    },
    { token },
  )
  if (done)
    return (
      <div role="status">
        <p className="text-lg">You are the administrator of this shop.</p>
        <LinkButton to="/user/signin" variant="primary" className="mt-6">
          Log in
        </LinkButton>
      </div>
    )
  return (
    <AccountForm form={form}>
      <p className="text-slate">This account may manage users, categories, products and boxes.</p>
      <PersonFields errors={form.errors} />
      <SubmitButton ready={form.ready} busy={form.busy}>
        Create administrator
      </SubmitButton>
    </AccountForm>
  )
}
