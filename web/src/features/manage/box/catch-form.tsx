import { addCatch } from '@befaqt/domain/api/endpoints/managed-boxes'
import { marketTime } from '@befaqt/domain/market-time'
import { speciesList } from '@befaqt/domain/species'
import { callApi } from '#web/api/call-api.ts'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { CatchForm as Schema } from './box-forms.ts'
import { PlacePicker } from './place-picker.tsx'

const METHODS = ['line', 'longline', 'trap', 'net', 'trawl', 'dive', 'hand']

type Props = { boxID: string; boat: string; onAdded: () => void }

/** Where, when and how the fish of a box was caught. */
export function CatchForm({ boxID, boat, onAdded }: Props) {
  const zone = useMarketZone()
  const hydrated = useHydrated()
  const form = useForm(Schema, async (body) => {
    await callApi(addCatch, { params: { boxID }, body })
    saved()
    onAdded()
  })
  const { onChange, saved } = useKeptForm({ name: 'catch', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Add the catch" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <InputField label="Species" name="species" list="species" autoComplete="off" error={errors.species} />
        <InputField
          label="Caught at"
          name="time"
          type="datetime-local"
          max={hydrated ? marketTime(Date.now(), zone).slice(0, 16).replace(' ', 'T') : undefined}
          hint={`market time, ${zone}`}
          error={errors.time}
        />
        <InputField label="Boat" name="boat" defaultValue={boat} error={errors.boat} />
        <InputField label="Method" name="method" list="methods" autoComplete="off" error={errors.method} />
        <InputField label="Size" name="size" hint="like 45 cm" error={errors.size} />
        <InputField label="Picture" name="img" hint="web address or path, may be empty" error={errors.img} />
      </div>
      <datalist id="species">
        {speciesList.map(({ slug, name }) => (
          <option key={slug} value={name} />
        ))}
      </datalist>
      <datalist id="methods">
        {METHODS.map((method) => (
          <option key={method} value={method} />
        ))}
      </datalist>
      <PlacePicker errors={errors} />
      <TextAreaField label="Note" name="note" rows={2} error={errors.note} />
      <FormActions ready={form.ready} busy={form.busy} save="Add catch" />
    </form>
  )
}
