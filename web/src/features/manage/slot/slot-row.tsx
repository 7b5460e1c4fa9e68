import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import { momentOf, momentText, slotHours } from '@befaqt/domain/moment-text'
import { Badge } from '#web/components/badge.tsx'
import { columnsOf } from '../list/columns.tsx'
import { RowLink } from '../list/list-table.tsx'
import { kindLabels } from '../order/order-parts.tsx'
import { slotPath } from '../paths.ts'
import { Postcodes } from './postcodes.tsx'

/** Whether a slot takes orders, and why not. @param now milliseconds; undefined: not known yet */
function StateMark({ slot, now }: { slot: ManagedSlot; now: number | undefined }) {
  if (slot.closed) return <Badge tone="bad">closed</Badge>
  if (now !== undefined && Date.parse(slot.cutOffAt ?? '') <= now) return <Badge>past its cut-off</Badge>
  if (slot.left === 0) return <Badge tone="warn">full</Badge>
  return <Badge tone="good">open</Badge>
}

/** Where a slot comes from, unless it is as its weekly time has it. */
function originText({ rule, edited }: ManagedSlot): string {
  if (rule === null) return 'by hand'
  return edited ? 'changed by hand' : ''
}

/** How full a slot is, as a number and at a glance. */
function Filled({ slot: { orders, capacity, left } }: { slot: ManagedSlot }) {
  const placing = capacity - left - orders
  return (
    <>
      <span className="whitespace-nowrap">
        <b className="font-semibold">{orders}</b> of {capacity}
      </span>
      <progress
        className="filled ms-auto mt-1 block h-1.5 w-20 max-lg:hidden"
        value={Math.min(orders, capacity)}
        max={capacity}
        aria-hidden="true"
      />
      {placing > 0 && <span className="block muted">{placing} being placed</span>}
    </>
  )
}

/** The day of a slot in its market, as `YYYY-MM-DD`. */
export const dayOf = ({ startsAt, timeZone }: ManagedSlot): string => momentOf(startsAt, timeZone)?.date ?? ''

/** The end of orders: of the slot's own day its time alone, since its day stands above. */
function cutOffText(slot: ManagedSlot): string {
  const { cutOffAt, timeZone } = slot
  const cutOff = momentOf(cutOffAt, timeZone)
  return cutOff?.date === dayOf(slot) ? cutOff.clock : momentText(cutOffAt, timeZone)
}

/** What the list of slots shows; the day of each stands above it. */
export const slotColumns = (now: number | undefined) =>
  columnsOf<'slot', ManagedSlot>('slot', {
    time: {
      heading: 'Time',
      isName: true,
      className: 'max-lg:max-w-max lg:whitespace-nowrap',
      cell: (slot) => <RowLink to={slotPath(slot._id)}>{slotHours(slot)}</RowLink>,
    },
    for: {
      heading: 'For',
      cell: ({ kind, area }) => (
        <>
          {kindLabels[kind]}
          <Postcodes area={area} />
        </>
      ),
    },
    orders: {
      heading: 'Orders',
      labelled: true,
      isNumber: true,
      cell: (slot) => <Filled slot={slot} />,
    },
    cutoff: {
      heading: 'Cut-off',
      labelled: true,
      className: 'tabular-nums lg:whitespace-nowrap',
      cell: cutOffText,
    },
    state: {
      heading: 'State',
      className: 'lg:whitespace-nowrap',
      cell: (slot) => (
        <>
          <StateMark slot={slot} now={now} />
          <span className="block muted empty:hidden">{originText(slot)}</span>
        </>
      ),
    },
  })
