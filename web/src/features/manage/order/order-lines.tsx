import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { gramsText } from '@befaqt/domain/labelling'
import { momentText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { Link } from 'react-router'
import { useMarketZone } from '#web/time/time.tsx'
import { managedBoxPath } from '../box/box-row.tsx'
import { bodyClass, type Column, ListTable, TableRow } from '../list/list-table.tsx'
import { amountText, quantityText } from './order-labels.tsx'

type Line = ManagedOrder['lines'][number]

/** That a line is from no box, with the reason if its product comes from boxes. */
const noBoxText = ({ noBox }: ManagedOrder, position: number): string => {
  const reason = noBox.find((one) => one.position === position)?.reason
  return reason === undefined ? 'no box' : `no box: ${reason}`
}

const columnsOf = (order: ManagedOrder, zone: string): readonly Column<Line>[] => [
  {
    heading: 'Product',
    isName: true,
    cell: ({ title }) => <span className="font-semibold">{title}</span>,
  },
  { heading: 'Ordered', labelled: true, className: 'tabular-nums', cell: quantityText },
  {
    heading: 'Net weight',
    labelled: true,
    className: 'tabular-nums',
    cell: ({ position, finalGrams, orderedGrams, leftOut }) => {
      if (leftOut !== null) return `left out: ${leftOut}`
      if (orderedGrams === null) return 'counted'
      const weighed = order.weighings.find((one) => one.position === position)
      return (
        <>
          {finalGrams === null ? 'not weighed' : gramsText(finalGrams)}
          {weighed && (
            <span className="block text-slate text-sm">
              {weighed.who}, {momentText(weighed.at, zone)}
              {weighed.scale && `, ${weighed.scale}`}
            </span>
          )}
        </>
      )
    },
  },
  {
    heading: 'From',
    labelled: true,
    cell: ({ boxes, unit, position }) =>
      boxes.length === 0
        ? noBoxText(order, position)
        : boxes.map(({ boxID, amount, recall }) => (
            <Link key={boxID} to={managedBoxPath(boxID)} className="link block py-1 tabular-nums">
              {boxID}: {amountText(unit, amount)}
              {recall !== null && <span className="ml-2 font-semibold text-bad">recalled: {recall}</span>}
            </Link>
          )),
  },
  {
    heading: 'Amount',
    labelled: true,
    className: 'tabular-nums lg:text-right',
    cell: ({ total }) => formatDollars(cents(total)),
  },
]

/** What was ordered and packed, once it is not changed any more. */
export function OrderLines({ order }: { order: ManagedOrder }) {
  const columns = columnsOf(order, useMarketZone())
  return (
    <ListTable caption="Lines" headings={columns}>
      {order.lines.map((line) => (
        <tbody key={line.position} className={bodyClass}>
          <TableRow columns={columns} row={line} />
        </tbody>
      ))}
    </ListTable>
  )
}
