import { createSlot } from '@befaqt/domain/api/endpoints/managed-orders'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { AreaField, KindField } from './kind-fields.tsx'
import { slotForm } from './slot-form.ts'

/** The form of one slot beside those of rules. */
export function SlotAdd({ onAdded }: { onAdded: () => void }) {
  const zone = useMarketZone()
  const [kind, setKind] = useState('pickup')
  const form = useForm(slotForm(zone), async (body) => {
    await callApi(createSlot, { body })
    form.reset()
    setKind('pickup')
    saved()
    onAdded()
  })
  const { onChange, saved } = useKeptForm({ name: 'slot', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Add a single time" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <KindField onKind={setKind} />
        <InputField label="Date" name="day" type="date" hint={`market time, ${zone}`} />
        <InputField label="From" name="from" type="time" error={errors.startsAt} />
        <InputField label="To" name="to" type="time" error={errors.endsAt} />
        <InputField label="Orders until" name="cutOffAt" type="datetime-local" error={errors.cutOffAt} />
        <InputField label="Orders it takes" name="capacity" inputMode="numeric" error={errors.capacity} />
      </div>
      <AreaField kind={kind} errors={errors} />
      <FormActions ready={form.ready} busy={form.busy} save="Add time" />
    </form>
  )
}
