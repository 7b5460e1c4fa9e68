import { correctRecord } from '@befaqt/domain/api/endpoints/managed-boxes'
import { type CorrectableKind, correctable } from '@befaqt/domain/box-input'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_REASON } from '@befaqt/domain/limits'
import { paragraph } from '@befaqt/domain/text'
import { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { fieldName } from '../list/differences.ts'
import { typedPayload } from './box-forms.ts'

/** The name under which the guard of dirty forms knows this one. */
export const CORRECTION = 'correction'
const Reason = z.looseObject({
  reason: paragraph('reason', MAX_REASON).refine((reason) => reason !== '', 'reason is required'),
})

export type Correctable = { seq: number; kind: CorrectableKind; data: Readonly<Record<string, unknown>> }

/** What the kind's schema refuses, by field; the field errors of the server's `data.x` are `x` here. */
function checked({ kind }: Correctable, data: unknown): void {
  const issues = correctable[kind].safeParse(data).error?.issues ?? []
  if (issues.length === 0) return
  const fields = issues.map(({ path, message }) => ({ path: String(path[0] ?? ''), message }))
  const message = fields.map((error) => `${fieldName(error.path)}: ${error.message}`).join('; ')
  throw new ShopError('input.invalid', message, { fields })
}

type Props = { boxID: string; record: Correctable; onDone: () => void; onCancel: () => void }

/** Mends a record: its values as they are, to be changed, with the reason. A new record says so; the old one stays. */
export function CorrectionForm({ boxID, record, onDone, onCancel }: Props) {
  const form = useForm(Reason, async ({ reason, ...typed }) => {
    const data = typedPayload(record.data, typed)
    checked(record, data)
    await callApi(correctRecord, { params: { boxID }, body: { seq: record.seq, reason, data } })
    saved()
    onDone()
  })
  const { onChange, saved, confirm } = useKeptForm({
    name: CORRECTION,
    about: record.seq,
    form,
    discard: onCancel,
  })
  const errorOf = (name: string) => form.errors[name] ?? form.errors[`data.${name}`]
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      aria-label={`Correct record ${record.seq}`}
      className="mt-3 grid gap-4 rounded-md border border-line bg-surface p-4"
    >
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {Object.entries(record.data).map(([name, value]) => (
          <PayloadField key={name} name={name} value={value} error={errorOf(name)} />
        ))}
      </div>
      <TextAreaField
        label="Reason"
        name="reason"
        rows={2}
        hint="Visible to everyone."
        error={form.errors.reason}
      />
      <FormActions
        ready={form.ready}
        busy={form.busy}
        save="Add correction"
        onCancel={() => confirm(onCancel)}
      />
    </form>
  )
}

function PayloadField({ name, value, error }: { name: string; value: unknown; error: string | undefined }) {
  if (typeof value === 'object' && value !== null)
    return (
      <div className="sm:col-span-2 lg:col-span-3">
        <TextAreaField
          label={fieldName(name)}
          name={name}
          rows={5}
          className="font-mono text-sm"
          hint="as JSON"
          defaultValue={JSON.stringify(value, null, 2)}
          error={error}
        />
      </div>
    )
  return (
    <InputField
      label={fieldName(name)}
      name={name}
      {...(typeof value === 'number' && { inputMode: 'decimal' as const })}
      defaultValue={String(value ?? '')}
      error={error}
    />
  )
}
