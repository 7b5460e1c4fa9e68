import { changePassword } from '@befaqt/domain/api/endpoints/password'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { AccountForm, SendOrCancel } from './account-form.tsx'
import { PasswordField } from './password-field.tsx'
import { NewPasswordFields } from './person-fields.tsx'
import { schemaOf } from './schema-of.ts'

type State = 'shut' | 'open' | 'done'

/** Changes the password; all other sessions end. */
export function PasswordSection({ email }: { email: string }) {
  const [state, setState] = useState<State>('shut')
  const hydrated = useHydrated()
  if (state === 'open') return <PasswordForm email={email} onEnd={setState} />
  return (
    <div className="grid justify-items-start gap-4">
      {state === 'done' && (
        <Alert tone="good">The password was changed. Everywhere else you have been logged out.</Alert>
      )}
      <Button variant="outline" disabled={!hydrated} onClick={() => setState('open')}>
        Change password
      </Button>
    </div>
  )
}

function PasswordForm({ email, onEnd }: { email: string; onEnd: (state: State) => void }) {
  const { revalidate } = useRevalidator()
  const form = useForm(schemaOf('ChangePassword'), async (body) => {
    await callApi(changePassword, { body })
    await revalidate()
    onEnd('done')
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
      <SendOrCancel form={form} send="Change password" onCancel={() => onEnd('shut')} />
    </AccountForm>
  )
}
