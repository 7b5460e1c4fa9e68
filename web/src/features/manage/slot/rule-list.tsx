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
import { Postcodes } from './postcodes.tsx'
import { RuleForm } from './slot-forms.tsx'
import { daysText } from './slot-values.ts'

const hoursText = (minutes: number): string =>
  minutes === 0 ? 'until it starts' : `until ${minutes / 60} h before`

/** What a rule is called. */
const ruleName = ({ kind, weekdays: days, from, to }: SlotRule): string =>
  `${kindLabels[kind]}, ${daysText(days)}, ${clockText(from)} to ${clockText(to)}`

const columns: readonly Column<SlotRule>[] = [
  {
    heading: 'When',
    isName: true,
    cell: ({ weekdays: days, from, to }) => (
      <>
        <span className="block font-semibold">{daysText(days)}</span>
        {clockText(from)} to {clockText(to)}
      </>
    ),
  },
  {
    heading: 'What',
    className: 'max-lg:w-full',
    cell: ({ kind, area, capacity, cutOffMinutes }) => (
      <>
        {kindLabels[kind]}
        <span className="block muted">
          {capacity === 1 ? '1 order' : `${capacity} orders`}, {hoursText(cutOffMinutes)}
        </span>
        <Postcodes area={area} />
      </>
    ),
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
