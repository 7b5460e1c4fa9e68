import type { BothFactors } from '@befaqt/domain/account'
import { useForm } from '#web/forms/use-form.ts'
import { AccountForm, SendOrCancel } from './account-form.tsx'
import { CodeField } from './code-field.tsx'
import { OwnPasswordField } from './password-field.tsx'
import { schemaOf } from './schema-of.ts'

type Props = { label: string; send: (proof: BothFactors) => Promise<void>; onCancel: () => void }

/** Asks for password and code: what weakens the guard takes both. */
export function ReauthenticateForm({ label, send, onCancel }: Props) {
  const form = useForm(schemaOf('BothFactors'), send)
  return (
    <AccountForm form={form}>
      <OwnPasswordField error={form.errors.password} />
      <CodeField error={form.errors.twoFaToken} />
      <SendOrCancel form={form} send={label} onCancel={onCancel} />
    </AccountForm>
  )
}

type ConfirmPasswordProps = {
  label: string
  send: (password: string) => Promise<void>
  onCancel: () => void
}

/** Asks for the password before something that a borrowed browser must not do. */
export function ConfirmPasswordForm({ label, send, onCancel }: ConfirmPasswordProps) {
  const form = useForm(schemaOf('Reauthentication'), ({ password }) => send(password))
  return (
    <AccountForm form={form}>
      <OwnPasswordField autoFocus error={form.errors.password} />
      <SendOrCancel form={form} send={label} onCancel={onCancel} />
    </AccountForm>
  )
}
