import { changeEmail } from '@befaqt/domain/api/endpoints/own-account'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { AccountForm, SendOrCancel } from './account-form.tsx'
import { schemaOf } from './schema-of.ts'

/** Asks for the new email of the account. */
export function EmailForm({ onEnd }: { onEnd: () => void }) {
  const { revalidate } = useRevalidator()
  const form = useForm(schemaOf('NewEmail'), async (body) => {
    await callApi(changeEmail, { body })
    await revalidate()
    onEnd()
  })
  return (
    <AccountForm form={form}>
      <InputField
        label="New email"
        name="email"
        type="email"
        autoComplete="email"
        required
        autoFocus
        error={form.errors.email}
        hint="We write to both addresses. Your email changes when both have confirmed it."
      />
      <SendOrCancel form={form} send="Change email" onCancel={onEnd} />
    </AccountForm>
  )
}
