import { assignTracker } from '@befaqt/domain/api/endpoints/trackers'
import { marketTime } from '@befaqt/domain/market-time'
import { Assignment, type TrackerView } from '@befaqt/domain/tracker'
import { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { recordTime } from '../box/box-forms.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'

/** A form's values as the API takes them: no box is null, and a picked time is one of the market's clock. */
const AssignForm = z.preprocess((values) => {
  const { box, time } = Object(values)
  return { box: String(box ?? '').trim() || null, time: recordTime(String(time ?? '')) }
}, Assignment)

type Props = { of: TrackerView | null; onAssigned: (tracker: TrackerView) => void; onClose: () => void }

/** Says with which box a device travels, and since when. */
export const AssignDialog = ({ of, onAssigned, onClose }: Props) => (
  <Dialog open={of !== null} title={`Assign ${of?.name ?? ''}`} onClose={onClose}>
    {of && <AssignFields key={of.id} of={of} onAssigned={onAssigned} onClose={onClose} />}
  </Dialog>
)

function AssignFields({ of, onAssigned, onClose }: Props & { of: TrackerView }) {
  const zone = useMarketZone()
  const form = useForm(AssignForm, async (body) => {
    onAssigned(await callApi(assignTracker, { params: { id: of.id }, body }))
  })
  const now = marketTime(Date.now(), zone).replace(' ', 'T').slice(0, 16)
  return (
    <form {...form.formProps} aria-label={`Assign ${of.name}`} className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p>
        Readings go to the box that the device travelled with when it measured. What was stored before stays
        where it is; what was refused comes only if its service sends it again.
      </p>
      <InputField
        label="Box"
        name="box"
        defaultValue={of.assigned?.box ?? ''}
        autoComplete="off"
        hint="Its id; left empty, the device travels with no box"
        error={form.errors.box}
      />
      <InputField
        label="Since"
        name="time"
        type="datetime-local"
        defaultValue={now}
        max={now}
        hint={`By the market’s clock (${zone})`}
        error={form.errors.time}
      />
      <FormActions ready={form.ready} busy={form.busy} save="Assign" onCancel={onClose} />
    </form>
  )
}
