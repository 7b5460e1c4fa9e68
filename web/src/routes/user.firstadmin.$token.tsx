import { setUpFirstAdmin } from '@befaqt/domain/api/endpoints/sign-in'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { AccountForm, LinkButton, SubmitButton } from '#web/features/account/account-form.tsx'
import { PersonFields } from '#web/features/account/credential-fields.tsx'
import { usePlainForm, useSentForm } from '#web/features/account/plain-form.ts'
import { schemaOf } from '#web/features/account/schema-of.ts'
import { AccountLayout } from '#web/features/account/signed-out.tsx'

export default function FirstAdminPage() {
  const { token = '' } = useParams()
  return (
    <AccountLayout title="First administrator">
      <FirstAdminForm token={token} />
    </AccountLayout>
  )
}

/** Makes the first administrator by the link that the server printed at its start. */
function FirstAdminForm({ token }: { token: string }) {
  const sent = useSentForm()
  const [done, setDone] = useState(sent.answer !== null)
  const form = usePlainForm(
    schemaOf('FirstAdmin'),
    async (body) => {
      await callApi(setUpFirstAdmin, { body })
      setDone(true)
    },
    sent,
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
      <PersonFields errors={form.errors} typed={sent.typed} />
      <SubmitButton ready={form.ready} busy={form.busy}>
        Create administrator
      </SubmitButton>
      <p className="text-slate">
        There is a backup of a shop?{' '}
        <Link to={`/user/restore/${token}`} className="link">
          Restore it instead
        </Link>
        .
      </p>
    </AccountForm>
  )
}
