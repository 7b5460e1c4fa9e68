import { inviteSupplier } from '@befaqt/domain/api/endpoints/suppliers'
import { Email } from '@befaqt/domain/contact'
import { SupplierIdentity } from '@befaqt/domain/supplier'
import { callApi } from '#web/api/call-api.ts'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'

/** The fields of an invitation side by side, as a form has them. */
const InvitationForm = SupplierIdentity.extend({ email: Email })

const fields = [
  ['traderID', 'Trader id', 'The licence or trader number in records'],
  ['traderName', 'Fisher’s name', undefined],
  ['companyName', 'Company (optional)', 'Their name in hand-overs, where there is one'],
  ['boat', 'Boat (optional)', 'Remembered by the phone; they can change it'],
] as const

/** Invites a supplier: who they are in records, and where the link is sent. */
export function SupplierForm({ onInvited }: { onInvited: (email: string) => void }) {
  const form = useForm(InvitationForm, async ({ email, ...fisher }) => {
    await callApi(inviteSupplier, { body: { email, fisher } })
    form.reset()
    saved()
    onInvited(email)
  })
  const { onChange, saved } = useKeptForm({ name: 'supplier', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Invite a supplier" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          hint="The link is sent there; it works once"
          error={errors.email}
        />
        {fields.map(([name, label, hint]) => (
          <InputField
            key={name}
            label={label}
            name={name}
            autoComplete="off"
            hint={hint}
            error={errors[name]}
          />
        ))}
        <TextAreaField label="Address (optional)" name="address" rows={2} error={errors.address} />
      </div>
      <FormActions ready={form.ready} busy={form.busy} save="Send invitation" />
    </form>
  )
}
