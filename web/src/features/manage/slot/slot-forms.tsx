import { addSlotRule, createSlot, replaceSlotRule } from '@befaqt/domain/api/endpoints/managed-orders'
import type { SlotFill, SlotRule } from '@befaqt/domain/api/slot-rule-api'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { CheckboxField, InputField, SelectField, TextAreaField } from '#web/components/field.tsx'
import { type FieldErrors, isAbout } from '#web/forms/field-errors.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { kindLabels } from '../order/order-parts.tsx'
import { ruleStart, RuleForm as Schema, slotForm, weekdays } from './slot-values.ts'

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
      <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] items-start gap-4">
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
      <div className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] items-start gap-4">
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

type KindProps = { start?: string; onKind: (kind: string) => void; error?: string | undefined }

/** What a time is for. */
const KindField = ({ start, onKind, error }: KindProps) => (
  <SelectField
    label="For"
    name="kind"
    defaultValue={start}
    onChange={(event) => onKind(event.currentTarget.value)}
    error={error}
  >
    {Object.entries(kindLabels).map(([kind, label]) => (
      <option key={kind} value={kind}>
        {label}
      </option>
    ))}
  </SelectField>
)

/** What is wrong with a field, or with one of the values that it holds. */
const errorOf = (errors: FieldErrors, field: string): string | undefined =>
  Object.entries(errors).find(([path]) => isAbout(path, field))?.[1]

type AreaProps = { kind: string; start?: string; errors: FieldErrors }

/** Where a time delivers to; there for deliveries alone. */
const AreaField = ({ kind, start, errors }: AreaProps) => (
  <div hidden={kind !== 'delivery'}>
    <TextAreaField
      label="Delivers to these postcodes"
      name="area"
      rows={2}
      defaultValue={start}
      hint="like 2000 2007-2011 2050"
      error={errorOf(errors, 'area')}
    />
  </div>
)
