import { makeKey } from '@befaqt/domain/api/endpoints/keys'
import { type ApiKeyView, rights } from '@befaqt/domain/api-key'
import { callApi } from '#web/api/call-api.ts'
import { CheckboxField, InputField, TextAreaField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { KeyForm, rightWords } from './key-form.ts'

/** The form of a new key: what it is called, what it may do, and where. */
export function KeyAdd({ onMade }: { onMade: (made: ApiKeyView & { key: string }) => void }) {
  const form = useForm(KeyForm, async (body) => {
    const made = await callApi(makeKey, { body })
    form.reset()
    saved()
    onMade(made)
  })
  const { onChange, saved } = useKeptForm({ name: 'key', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Create API key" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="max-w-md">
        <InputField
          label="Name"
          name="name"
          autoComplete="off"
          hint="What will use it, like: logger on the Gannet, or the e-nose at /station"
          error={errors.name}
        />
      </div>
      <fieldset className="grid gap-1" aria-describedby={errors.rights ? 'rights-error' : undefined}>
        <legend className="font-semibold">Permissions</legend>
        {rights.map((right) => (
          <CheckboxField
            key={right}
            name={right}
            label={
              <span>
                {rightWords[right]} <code className="text-slate text-sm">{right}</code>
              </span>
            }
          />
        ))}
        {errors.rights && (
          <p id="rights-error" className="font-semibold text-bad text-sm">
            {errors.rights}
          </p>
        )}
      </fieldset>
      <div className="max-w-md">
        <TextAreaField
          label="Only for these boxes (optional)"
          name="boxes"
          rows={3}
          hint="Box ids, one a line. Left empty, it may touch all boxes."
          error={errors.boxes}
        />
      </div>
      <FormActions ready={form.ready} busy={form.busy} save="Create key" />
    </form>
  )
}
