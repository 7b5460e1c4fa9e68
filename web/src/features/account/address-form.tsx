import type { SavedAddressView } from '@befaqt/domain/api/account-api'
import { addAddress, changeAddress } from '@befaqt/domain/api/endpoints/own-account'
import { MAX_LABEL } from '@befaqt/domain/limits'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { AccountForm, SendOrCancel } from './account-form.tsx'
import { AddressFields } from './address-fields.tsx'
import { notFetched } from './schema-of.ts'

const schema = async () => {
  const fetched = await import('@befaqt/domain/saved-address').catch((cause: unknown) => {
    throw notFetched('Part of this form', cause)
  })
  return fetched.SavedAddressInput
}

/** Adds an address to the account, or changes one that it keeps. */
export function AddressForm({ kept, onEnd }: { kept: SavedAddressView | null; onEnd: () => void }) {
  const { revalidate } = useRevalidator()
  const form = useForm(schema, async (body) => {
    try {
      if (kept === null) await callApi(addAddress, { body })
      else await callApi(changeAddress, { params: { id: kept._id }, body })
    } finally {
      await revalidate() // also where another tab has deleted it
    }
    onEnd()
  })
  return (
    <AccountForm form={form}>
      <InputField
        label="What you call it"
        name="label"
        required
        autoFocus
        maxLength={MAX_LABEL}
        hint="For example Home, or Work"
        defaultValue={kept?.label}
        error={form.errors.label}
      />
      <AddressFields errors={form.errors} typed={kept ?? {}} />
      <SendOrCancel form={form} send="Save address" onCancel={onEnd} />
    </AccountForm>
  )
}
