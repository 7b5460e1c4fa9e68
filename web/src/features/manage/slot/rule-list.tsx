import { deleteSlotRule } from '@befaqt/domain/api/endpoints/managed-orders'
import type { SlotFill, SlotRule } from '@befaqt/domain/api/slot-rule-api'
import { clockText } from '@befaqt/domain/moment-text'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Confirm } from '../form-parts.tsx'
import { type Column, EmptyList, PlainTable, RowAction } from '../list/list-table.tsx'
import { kindLabels } from '../order/order-parts.tsx'
import { RuleForm } from './slot-forms.tsx'
import { weekdays } from './slot-values.ts'

/** The days of a rule: 'every day', or their names. */
const daysText = (days: readonly number[]): string =>
  days.length === 7 ? 'every day' : days.map((day) => weekdays[day - 1]).join(', ')

const hoursText = (minutes: number): string =>
  minutes === 0 ? 'until it starts' : `until ${minutes / 60} h before`

/** What a rule is called. */
const ruleName = ({ kind, weekdays: days, from, to }: SlotRule): string =>
  `${kindLabels[kind]}, ${daysText(days)}, ${clockText(from)} to ${clockText(to)}`

const columns: readonly Column<SlotRule>[] = [
  {
    heading: 'Days',
    isName: true,
    cell: ({ weekdays: days }) => <span className="font-semibold">{daysText(days)}</span>,
  },
  {
    heading: 'Time',
    className: 'lg:whitespace-nowrap',
    cell: ({ from, to, cutOffMinutes }) => (
      <>
        {clockText(from)} to {clockText(to)}
        <span className="block muted">orders {hoursText(cutOffMinutes)}</span>
      </>
    ),
  },
  {
    heading: 'For',
    cell: ({ kind, area }) => (
      <>
        {kindLabels[kind]}
        {area && <span className="block muted wrap-anywhere">{area.join(', ')}</span>}
      </>
    ),
  },
  {
    heading: 'Orders',
    labelled: true,
    className: 'lg:text-right tabular-nums',
    cell: ({ capacity }) => capacity,
  },
]

type Props = { rules: readonly SlotRule[]; onChanged: (what: string, fill: SlotFill) => void }

/** Weekly times, to be changed and deleted. */
export function RuleList({ rules, onChanged }: Props) {
  const hydrated = useHydrated()
  const [editing, setEditing] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<SlotRule | null>(null)
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('delete')
  const open = rules.find(({ _id }) => _id === editing)
  if (rules.length === 0)
    return <EmptyList>No weekly times yet: nobody can order before there are times to choose from.</EmptyList>
  return (
    <div ref={place}>
      {open && (
        <div className="mb-4 rounded-lg border border-teal bg-surface p-4 sm:p-6">
          <RuleForm
            key={open._id}
            rule={open}
            onSaved={(fill) => {
              setEditing(null)
              onChanged('Saved', fill)
            }}
            onCancel={() => setEditing(null)}
          />
        </div>
      )}
      <PlainTable
        caption="Weekly times"
        columns={columns}
        rows={rules}
        idOf={({ _id }) => _id}
        actions={(rule) => (
          <>
            <RowAction
              action="edit"
              label={`Edit ${ruleName(rule)}`}
              disabled={!hydrated || (editing !== null && editing !== rule._id)}
              onClick={() => setEditing(rule._id)}
            >
              Edit
            </RowAction>
            <RowAction
              action="delete"
              label={`Delete ${ruleName(rule)}`}
              disabled={!hydrated || editing !== null}
              onClick={() => setDeleting(rule)}
            >
              Delete
            </RowAction>
          </>
        )}
      />
      <Dialog open={deleting !== null} title="Delete this weekly time?" onClose={() => setDeleting(null)}>
        {deleting && (
          <Confirm
            action="Delete weekly time"
            onClose={() => setDeleting(null)}
            onConfirm={async () => {
              const fill = await callApi(deleteSlotRule, { params: { id: deleting._id } })
              removing(
                rules.map(({ _id }) => _id),
                deleting._id,
              )
              setDeleting(null)
              onChanged('Deleted', fill)
            }}
          >
            <p className="font-semibold">{ruleName(deleting)}</p>
            <p>
              Its future times are deleted with it. Those that have orders, are being ordered for, or were
              changed by hand stay.
            </p>
          </Confirm>
        )}
      </Dialog>
    </div>
  )
}
