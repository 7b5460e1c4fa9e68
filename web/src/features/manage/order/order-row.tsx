import type { ManagedOrderRow } from '@befaqt/domain/api/order-api'
import { slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { Link } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import type { Column } from '../list/list-table.tsx'
import { RowLink } from '../list/row-action.tsx'
import { kindLabels, slotPath } from '../slot/slot-row.tsx'
import { buyerName, managedOrderPath, OrderStateMark, undecidedTexts } from './order-labels.tsx'

/** What the queue shows of an order. */
export const orderColumns: readonly Column<ManagedOrderRow>[] = [
  {
    heading: 'Order',
    isName: true,
    className: 'lg:whitespace-nowrap',
    cell: ({ _id, number }) => (
      <RowLink to={managedOrderPath(_id)} className="tabular-nums">
        {number}
      </RowLink>
    ),
  },
  {
    heading: 'For',
    cell: ({ kind, slot }) => (
      <Link to={slotPath(slot._id)} className="inline-block py-1 hover:text-teal">
        <span className="block font-semibold">{kindLabels[kind]}</span>
        <span className="text-sm underline underline-offset-4">{slotText(slot)}</span>
      </Link>
    ),
  },
  {
    heading: 'Buyer',
    cell: ({ contact }) => (
      <>
        <span className="wrap-anywhere">{buyerName(contact)}</span>
        {contact && (
          <a
            href={`tel:${contact.phone.replaceAll(' ', '')}`}
            className="block py-1 text-slate text-sm tabular-nums hover:text-teal"
          >
            {contact.phone}
          </a>
        )}
      </>
    ),
  },
  {
    heading: 'Total',
    className: 'tabular-nums',
    cell: ({ total, lines }) => (
      <>
        {formatDollars(cents(total))}
        <span className="block text-slate text-sm">
          {lines} {lines === 1 ? 'line' : 'lines'}
        </span>
      </>
    ),
  },
  {
    heading: 'State',
    className: 'lg:whitespace-nowrap',
    cell: ({ status, payment, toDecide }) => (
      <>
        <OrderStateMark state={status} />
        {toDecide && (
          <span className="ml-2">
            <Badge tone={toDecide === 'recalled' ? 'bad' : 'warn'}>to decide</Badge>
            <span className="block text-sm">{undecidedTexts[toDecide]}</span>
          </span>
        )}
        {payment === 'OPEN' && <span className="block text-slate text-sm">not paid yet</span>}
      </>
    ),
  },
]

/** The way to what is done next with an order. */
export const OrderAction = ({ _id, number, status, toDecide }: ManagedOrderRow) => (
  <ButtonLink variant="outline" to={managedOrderPath(_id)} data-action="next" className="px-3">
    {toDecide ? 'Decide' : status === 'PLACED' ? 'Pack' : 'Open'}
    <span className="sr-only"> {number}</span>
  </ButtonLink>
)
