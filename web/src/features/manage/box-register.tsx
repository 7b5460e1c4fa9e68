import type { Registration } from '@befaqt/domain/box-input'
import { visitorWords } from '#web/api/hydration.ts'
import { Field, TextField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { boxCalls } from './box-calls.ts'
import { FisherForm } from './box-forms.ts'
import { ErrorBanner } from './error-banner.tsx'
import { FormActions } from './form-actions.tsx'

/** Registers a box with its fisher: the first record of its history. */
export function BoxRegister({ onRegistered }: { onRegistered: (made: Registration) => void }) {
  const form = useForm(FisherForm, async (input) => {
    await boxCalls.register(input)
    form.reset()
    saved()
    onRegistered(input)
  })
  const { onChange, saved } = useKeptForm({ name: 'register', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Register a Box" className="grid gap-4">
      {form.failure !== null && <ErrorBanner message={visitorWords(form.failure)} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Field label="Box id" name="boxID" hint="as on its label; stays for ever" error={errors.boxID} />
        <Field label="Trader id" name="traderID" error={errors.traderID ?? errors['fisher.traderID']} />
        <Field label="Fisher’s name" name="traderName" error={errors.traderName} />
        <Field label="Company" name="companyName" error={errors.companyName} />
        <Field label="Boat" name="boat" error={errors.boat} />
      </div>
      <TextField label="Address" name="address" rows={2} error={errors.address} />
      <FormActions ready={form.ready} busy={form.busy} save="Register box" />
    </form>
  )
}
