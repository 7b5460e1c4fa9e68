import { useRevalidator } from 'react-router'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { OwnPasswordField } from './account-fields.tsx'
import { AccountForm, SendOrCancel } from './account-form.tsx'
import { makePasskey } from './passkey-calls.ts'
import { schemaOf } from './schema-of.ts'

/** Asks how the new passkey is to be called, and for the account's password. */
export function AddPasskey({ onEnd }: { onEnd: () => void }) {
  const { revalidate } = useRevalidator()
  const form = useForm(schemaOf('AddPasskey'), async ({ name, password }) => {
    await makePasskey(name, password)
    await revalidate()
    onEnd()
  })
  return (
    <AccountForm form={form}>
      <InputField
        label="Name of the passkey"
        name="name"
        hint="For example: my phone"
        autoComplete="off"
        required
        autoFocus
        error={form.errors.name}
      />
      <OwnPasswordField error={form.errors.password} />
      <SendOrCancel form={form} send="Add a passkey" onCancel={onEnd} />
    </AccountForm>
  )
}
