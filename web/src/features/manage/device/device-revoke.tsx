import { revokeDevice } from '@befaqt/domain/api/endpoints/devices'
import { type DeviceView, Revocation } from '@befaqt/domain/device'
import { MAX_REASON } from '@befaqt/domain/limits'
import { callApi } from '#web/api/call-api.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'

type Props = { of: DeviceView | null; onRevoked: (device: DeviceView) => void; onClose: () => void }

/** Asks why, before a device's key is ended for good. */
export const DeviceRevoke = ({ of, onRevoked, onClose }: Props) => (
  <Dialog open={of !== null} title={`Revoke ${of?.name ?? ''}?`} onClose={onClose}>
    {of && <Asking key={of.id} of={of} onRevoked={onRevoked} onClose={onClose} />}
  </Dialog>
)

function Asking({ of, onRevoked, onClose }: Props & { of: DeviceView }) {
  const form = useForm(Revocation, async (body) => {
    await callApi(revokeDevice, { params: { id: of.id }, body })
    onRevoked(of)
  })
  return (
    <form {...form.formProps} aria-label={`Revoke ${of.name}`} className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p>
        From now on every reading that it signs is refused, on open connections too. What it signed before
        stays as it is. It can’t be taken back: a device that returns is registered with a new key.
      </p>
      <InputField
        label="Why"
        name="reason"
        maxLength={MAX_REASON}
        autoComplete="off"
        hint="For the shop’s own history; the public register says only when."
        error={form.errors.reason}
      />
      <FormActions ready={form.ready} busy={form.busy} save="Revoke it for good" onCancel={onClose} />
    </form>
  )
}
