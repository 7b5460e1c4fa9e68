import { closeDay, openDay } from '@befaqt/domain/api/endpoints/slot-rules'
import type { SlotFill, SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { dayText } from '@befaqt/domain/day-text'
import { MAX_REASON } from '@befaqt/domain/limits'
import { ClosedDayInput } from '@befaqt/domain/slot-rules'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { FailureBanner } from '../form-parts.tsx'

type Props = { days: SlotPlan['closedDays']; onChanged: (what: string, fill: SlotFill) => void }

/** Days on which rules make no times: closed with a date, opened again with a press. */
export function ClosedDays({ days, onChanged }: Props) {
  const hydrated = useHydrated()
  const [opening, setOpening] = useState('')
  const { busy, failure, run, dismiss } = useCall()
  const form = useForm(ClosedDayInput, async (body) => {
    const fill = await callApi(closeDay, { body })
    form.reset()
    saved()
    onChanged(`Closed ${dayText(body.day)}`, fill)
  })
  const { onChange, saved } = useKeptForm({ name: 'closed-day', form })
  const open = (day: string) =>
    run(async () => {
      setOpening(day)
      onChanged(`Opened ${dayText(day)} again`, await callApi(openDay, { params: { day } }))
    })
  return (
    <div className="grid gap-4">
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      {days.length === 0 ? (
        <p className="text-slate">None.</p>
      ) : (
        <ul aria-label="Closed days" className="divide-y divide-line border-line border-y">
          {days.map(({ day, reason }) => (
            <li key={day} className="flex flex-wrap items-center gap-x-4 py-1">
              <span className="min-w-0 flex-1">
                <span className="font-semibold">{dayText(day)}</span> {day.slice(0, 4)}
                {reason && <span className="text-slate"> {reason}</span>}
              </span>
              <Button
                variant="link"
                disabled={!hydrated}
                aria-busy={busy}
                aria-label={`Open again: ${dayText(day)}`}
                onClick={() => void open(day)}
              >
                {busy && opening === day ? 'One moment…' : 'Open again'}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form {...form.formProps} onChange={onChange} aria-label="Close a day" className="grid gap-3">
        {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
        <div className="flex flex-wrap items-start gap-3">
          <InputField label="Date" name="day" type="date" error={form.errors.day} />
          <div className="min-w-52 flex-1">
            <InputField
              label="Reason (optional)"
              name="reason"
              maxLength={MAX_REASON}
              placeholder="like: Good Friday"
              error={form.errors.reason}
            />
          </div>
          <Button type="submit" variant="outline" className="mt-7.5" disabled={!form.ready}>
            Close this day
          </Button>
        </div>
      </form>
    </div>
  )
}
