import { addSlotRule, replaceSlotRule } from '@befaqt/domain/api/endpoints/slot-rules'
import type { SlotFill, SlotRule } from '@befaqt/domain/api/slot-rule-api'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { CheckboxField, InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { AreaField, errorOf, KindField } from './kind-fields.tsx'
import { ruleStart, RuleForm as Schema, weekdays } from './slot-form.ts'

type Props = {
  /** The rule that is edited; null: a new one. */
  rule: SlotRule | null
  onSaved: (fill: SlotFill) => void
  onCancel?: () => void
}

/** A weekly rule: on which days, from when to when, for how many orders. */
export function RuleForm({ rule, onSaved, onCancel }: Props) {
  const start = ruleStart(rule)
  const [kind, setKind] = useState<string>(start.kind)
  const form = useForm(Schema, async (body) => {
    const fill = rule
      ? await callApi(replaceSlotRule, {
          params: { id: rule._id },
          body: { ...body, timeZone: rule.timeZone },
          version: rule.version,
        })
      : await callApi(addSlotRule, { body })
    form.reset()
    setKind(start.kind)
    saved()
    onSaved(fill)
  })
  const { onChange, saved, confirm } = useKeptForm({ name: 'rule', about: rule?._id ?? '', form })
  const { errors } = form
  const error = (field: string) => errorOf(errors, field)
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      aria-label={rule ? 'Edit weekly time' : 'Add a weekly time'}
      className="grid gap-4"
    >
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <fieldset className="grid gap-1" aria-describedby={error('weekdays') ? 'weekdays-error' : undefined}>
        <legend className="font-semibold">Days</legend>
        <div className="flex flex-wrap gap-x-5">
          {weekdays.map((day, i) => (
            <CheckboxField
              key={day}
              name={day}
              data-field="weekdays"
              label={day}
              defaultChecked={start.weekdays.has(i + 1)}
            />
          ))}
        </div>
        {error('weekdays') && (
          <p id="weekdays-error" className="font-semibold text-bad text-sm">
            {error('weekdays')}
          </p>
        )}
      </fieldset>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <KindField start={start.kind} onKind={setKind} error={error('kind')} />
        <InputField label="From" name="from" type="time" defaultValue={start.from} error={error('from')} />
        <InputField label="To" name="to" type="time" defaultValue={start.to} error={error('to')} />
        <InputField
          label="Orders it takes"
          name="capacity"
          inputMode="numeric"
          defaultValue={start.capacity}
          error={error('capacity')}
        />
        <InputField
          label="Hours before, to order until"
          name="cutOffMinutes"
          inputMode="decimal"
          defaultValue={start.cutOffMinutes}
          hint="like 2 or 1.5; 17 for until the evening before"
          error={error('cutOffMinutes')}
        />
      </div>
      <AreaField kind={kind} start={start.area} errors={errors} />
      <FormActions
        ready={form.ready}
        busy={form.busy}
        save={rule ? 'Save' : 'Add weekly time'}
        {...(onCancel && {
          onCancel: () =>
            confirm(() => {
              saved()
              onCancel()
            }),
        })}
      />
    </form>
  )
}
