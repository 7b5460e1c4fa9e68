import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import { momentText, slotText } from '@befaqt/domain/moment-text'
import { Badge } from '#web/components/badge.tsx'
import { columnsOf } from '../list/columns.tsx'
import { RowLink } from '../list/list-table.tsx'
import { kindLabels } from '../order/order-parts.tsx'
import { slotPath } from '../paths.ts'

/** Whether a slot takes orders, and why not. @param now milliseconds; undefined: not known yet */
function StateMark({ slot, now }: { slot: ManagedSlot; now: number | undefined }) {
  if (slot.closed) return <Badge tone="bad">closed</Badge>
  if (now !== undefined && Date.parse(slot.cutOffAt ?? '') <= now) return <Badge>past its cut-off</Badge>
  if (slot.left === 0) return <Badge tone="warn">full</Badge>
  return <Badge tone="good">open</Badge>
}

/** Where a slot comes from. */
function originText({ rule, edited }: ManagedSlot): string {
  if (rule === null) return 'by hand'
  return edited ? 'weekly, changed' : 'weekly'
}

/** What the list of slots shows. */
export const slotColumns = (now: number | undefined) =>
  columnsOf<'slot', ManagedSlot>('slot', {
    time: {
      heading: 'Time',
      isName: true,
      className: '2xl:whitespace-nowrap',
      cell: (slot) => <RowLink to={slotPath(slot._id)}>{slotText(slot)}</RowLink>,
    },
    for: {
      heading: 'For',
      cell: ({ kind, area }) => (
        <>
          {kindLabels[kind]}
          {area && <span className="block max-w-56 muted wrap-anywhere">{area.join(', ')}</span>}
        </>
      ),
    },
    orders: {
      heading: 'Orders',
      labelled: true,
      className: 'tabular-nums lg:whitespace-nowrap',
      cell: ({ orders, capacity, left }) => (
        <>
          {orders} of {capacity}
          {capacity - left > orders && (
            <span className="block muted">{capacity - left - orders} being placed</span>
          )}
        </>
      ),
    },
    cutoff: {
      heading: 'Cut-off',
      labelled: true,
      className: 'text-sm 2xl:whitespace-nowrap',
      cell: ({ cutOffAt, timeZone }) => momentText(cutOffAt, timeZone),
    },
    state: {
      heading: 'State',
      className: '2xl:whitespace-nowrap',
      cell: (slot) => (
        <>
          <StateMark slot={slot} now={now} />
          <span className="block muted">{originText(slot)}</span>
        </>
      ),
    },
  })
