import { makePhoneLink } from '@befaqt/domain/api/endpoints/suppliers'
import type { SupplierView } from '@befaqt/domain/api/field-api'
import { NewPhoneLink, type PhoneLink } from '@befaqt/domain/phone'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { CopyButton } from '#web/components/copy-button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { QrCode } from '#web/components/qr-code.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Moment } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'

type Props = { of: SupplierView | null; onMade: () => void; onClose: () => void }

/** Makes a link by which one phone of a supplier signs what it sends. */
export const PhoneLinkDialog = ({ of, onMade, onClose }: Props) => (
  <Dialog open={of !== null} title={`Let a phone of ${of?.name ?? ''} sign`} onClose={onClose}>
    {of && <Asking key={of.userId} of={of} onMade={onMade} onClose={onClose} />}
  </Dialog>
)

function Asking({ of, onMade, onClose }: Props & { of: SupplierView }) {
  const [made, setMade] = useState<PhoneLink | null>(null)
  const form = useForm(NewPhoneLink, async (body) => {
    setMade(await callApi(makePhoneLink, { params: { id: of.userId }, body }))
    onMade()
  })
  if (made !== null) return <Made {...made} name={of.name} />
  return (
    <form {...form.formProps} aria-label={`Link for a phone of ${of.name}`} className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p>
        The phone makes a key and registers it. Readings that it sends then count as signed by a phone: for
        boxes that {of.name} recorded or holds, until you revoke it on Manage Device. An earlier link that was
        not used no longer works.
      </p>
      <InputField
        label="Name of the phone"
        name="name"
        autoComplete="off"
        hint="Public with each reading that it signs: name the device, not a person"
        error={form.errors.name}
      />
      <FormActions ready={form.ready} busy={form.busy} save="Make the link" onCancel={onClose} />
    </form>
  )
}

const Made = ({ link, expiresAt, qr, name }: PhoneLink & { name: string }) => (
  <div className="grid gap-4">
    <p role="status">
      Open it on the phone, logged in as {name}. It works once, until <Moment at={expiresAt} />, and is shown
      only now.
    </p>
    <QrCode code={qr} label="The link as a QR code" />
    <p>
      <code className="wrap-anywhere">{link}</code>
    </p>
    <div>
      <CopyButton text={link} />
    </div>
  </div>
)
