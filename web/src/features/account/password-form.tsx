import { changePassword } from '@befaqt/domain/api/endpoints/sign-in'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useForm } from '#web/forms/use-form.ts'
import { PasswordField } from './account-fields.tsx'
import { AccountForm, SendOrCancel } from './account-form.tsx'
import { NewPasswordFields } from './credential-fields.tsx'
import { schemaOf } from './schema-of.ts'

type Props = { email: string; onDone: () => void; onCancel: () => void }

/** Asks for the present password and for a new one. */
export function PasswordForm({ email, onDone, onCancel }: Props) {
  const { revalidate } = useRevalidator()
  const form = useForm(schemaOf('ChangePassword'), async (body) => {
    await callApi(changePassword, { body })
    await revalidate()
    onDone()
  })
  return (
    <AccountForm form={form}>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        required
        autoFocus
        error={form.errors.currentPassword}
      />
      <NewPasswordFields errors={form.errors} label="New password" />
      <SendOrCancel form={form} send="Change password" onCancel={onCancel} />
    </AccountForm>
  )
}
