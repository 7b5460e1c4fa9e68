import type { Paged } from '@befaqt/domain/api/box-api'
import { closeDay, openDay } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import type { SlotFill, SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { MAX_REASON } from '@befaqt/domain/limits'
import { dayText } from '@befaqt/domain/moment-text'
import { ClosedDayInput, SLOT_DAYS } from '@befaqt/domain/slot-rules'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { CreatePanel, FailureBanner, StatusMessage } from '../form-parts.tsx'
import { FilterBar } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { RuleList } from './rule-list.tsx'
import { RuleForm, SlotAdd } from './slot-forms.tsx'
import { SlotList } from './slot-list.tsx'

export type SlotsFound = { slots: Paged<ManagedSlot>; plan: SlotPlan }

const filters = [
  {
    name: 'kind',
    label: 'For',
    all: 'Both',
    choices: [
      ['pickup', 'Pick-up'],
      ['delivery', 'Delivery'],
    ] as const,
  },
  { name: 'when', label: 'When', all: 'To come', choices: [['past', 'Past']] as const },
]

/** What a change of rules did, as a sentence. */
function fillText({ made, changed, removed, kept }: SlotFill): string {
  const parts = [
    made > 0 ? [`${made} made`] : [],
    changed > 0 ? [`${changed} changed`] : [],
    removed > 0 ? [`${removed} removed`] : [],
    kept > 0 ? [`${kept} left as they are, with orders or changed by hand`] : [],
  ].flat()
  return parts.length === 0 ? 'No times changed.' : `Times: ${parts.join(', ')}.`
}

/** Manage Slot: when orders are picked up or delivered, by weekly rules and by hand. */
export function SlotScreen({ found }: { found: Read<SlotsFound> }) {
  return (
    <ManageLayout>
      <ReadResult found={found}>{(data) => <Slots {...data} />}</ReadResult>
    </ManageLayout>
  )
}

function Slots({ slots, plan }: SlotsFound) {
  const { message, done } = useAction()
  const filled = (what: string, fill: SlotFill) => done(`${what}. ${fillText(fill)}`)
  return (
    <>
      <StatusMessage message={message} className="min-h-8" />
      <h2 className="mb-2 text-2xl">Weekly times</h2>
      <p className="mb-4 max-w-prose text-slate">
        They create the times of the next {SLOT_DAYS} days and are applied again every day. A time with
        orders, or one that you changed, stays as it is.
      </p>
      <CreatePanel title="Add a weekly time" empty={plan.rules.length === 0}>
        <RuleForm rule={null} onSaved={(fill) => filled('Added', fill)} />
      </CreatePanel>
      <RuleList rules={plan.rules} onChanged={filled} />
      <h2 className="mt-10 mb-4 text-2xl">Closed days</h2>
      <ClosedDays days={plan.closedDays} onChanged={filled} />
      <h2 className="mt-10 mb-4 text-2xl">Slot List</h2>
      <CreatePanel title="Add a single time" empty={false}>
        <SlotAdd onAdded={() => done('Added.')} />
      </CreatePanel>
      <FilterBar filters={filters} sorts={[]} />
      <SlotList slots={slots.rows} onDone={done} />
      <Pagination {...slots} thing="slot" things="slots" />
    </>
  )
}

type ClosedDaysProps = { days: SlotPlan['closedDays']; onChanged: (what: string, fill: SlotFill) => void }

/** Days on which rules make no times: closed with a date, opened again with a press. */
function ClosedDays({ days, onChanged }: ClosedDaysProps) {
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
