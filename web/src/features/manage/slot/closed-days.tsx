import { closeDay, openDay } from '@befaqt/domain/api/endpoints/managed-orders'
import type { SlotFill, SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { MAX_REASON } from '@befaqt/domain/limits'
import { dayText } from '@befaqt/domain/moment-text'
import { ClosedDayInput } from '@befaqt/domain/slot-rules'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { Confirm, FailureBanner } from '../form-parts.tsx'

type Changed = (what: string, fill: SlotFill) => void
type Props = { days: SlotPlan['closedDays']; onChanged: Changed }

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
        <p className="border-line border-y py-4 text-slate">No day is closed: holidays go here.</p>
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
          <div className="min-w-44 flex-1">
            <InputField
              label="Reason (optional)"
              name="reason"
              maxLength={MAX_REASON}
              placeholder="like: Good Friday"
              error={form.errors.reason}
            />
          </div>
        </div>
        <Button type="submit" variant="outline" className="justify-self-start" disabled={!form.ready}>
          Close this day
        </Button>
      </form>
    </div>
  )
}

type AskProps = { day: string | null; onChanged: Changed; onClose: () => void }

/** Asks before a day of the list is closed. */
export function CloseDayDialog({ day, onChanged, onClose }: AskProps) {
  return (
    <Dialog open={day !== null} title={`Close ${day === null ? '' : dayText(day)}?`} onClose={onClose}>
      {day !== null && (
        <Confirm
          action="Close the day"
          onClose={onClose}
          onConfirm={async (entered) => {
            const reason = String(entered.get('reason') ?? '')
            const fill = await callApi(closeDay, { body: ClosedDayInput.parse({ day, reason }) })
            onClose()
            onChanged(`Closed ${dayText(day)}`, fill)
          }}
        >
          <p>
            Its weekly times go. Those that have orders, are being ordered for, or were changed by hand stay
            and take orders: close them one by one.
          </p>
          <InputField
            label="Reason (optional)"
            name="reason"
            maxLength={MAX_REASON}
            placeholder="like: Good Friday"
          />
        </Confirm>
      )}
    </Dialog>
  )
}
