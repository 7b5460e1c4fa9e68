import { addWeight } from '@befaqt/domain/api/endpoints/managed-boxes'
import { callApi } from '#web/api/call-api.ts'
import { InputField, SelectField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { WeightForm as Schema } from './box-forms.ts'

/** Records the net weight that went into a box: nothing is sold beyond it, and everybody can check that. */
export function WeightForm({ boxID, onWeighed }: { boxID: string; onWeighed: () => void }) {
  const form = useForm(Schema, async (body) => {
    await callApi(addWeight, { params: { boxID }, body })
    form.reset()
    saved()
    onWeighed()
  })
  const { onChange, saved } = useKeptForm({ name: 'weight', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Weigh the box" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p className="max-w-2xl text-slate">
        What ever went in, not what is left. It becomes public with the box, and no more than it can be sold
        or lost. Raised after the first sale, it is shown with both figures.
      </p>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <SelectField label="Weighed" name="of" error={errors.of}>
          <option value="box">as it was boxed</option>
          <option value="catch">as it was caught</option>
        </SelectField>
        <InputField
          label="Net weight"
          name="grams"
          inputMode="decimal"
          autoComplete="off"
          hint="like 41 kg or 41000 g"
          error={errors.grams}
        />
        <InputField
          label="Scale"
          name="scale"
          maxLength={80}
          autoComplete="off"
          hint="which one; empty: it was typed"
          error={errors.scale}
        />
      </div>
      <FormActions ready={form.ready} busy={form.busy} save="Record the weight" />
    </form>
  )
}
