import { amountIn } from '@befaqt/domain/amount'
import type { ManagedOrder, OrderView } from '@befaqt/domain/api/order-api'
import { gramsText } from '@befaqt/domain/labelling'
import { momentText, slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { paymentText } from '@befaqt/domain/payment'
import { Link } from 'react-router'
import { LogReceipt } from '#web/features/order/log-receipt.tsx'
import { useMarketZone } from '#web/time/time.tsx'
import { bodyClass, type Column, ListTable, TableRow } from '../../list/list-table.tsx'
import { managedBoxPath } from '../../paths.ts'
import { amountText, buyerName, kindLabels, lineTitle, PrepareAs, quantityText } from '../order-parts.tsx'

type Printed = Pick<
  OrderView,
  | 'number'
  | 'kind'
  | 'slot'
  | 'contact'
  | 'address'
  | 'note'
  | 'lines'
  | 'totals'
  | 'coupon'
  | 'status'
  | 'payment'
>

const money = (amount: number): string => formatDollars(cents(amount))

/** Where an order goes. */
export function Address({ of: { address } }: { of: Pick<OrderView, 'address'> }) {
  if (!address) return null
  return (
    <span className="block">
      {address.street}
      <br />
      {address.suburb} {address.state} {address.postcode}
    </span>
  )
}

const isWeighed = ({ lines }: Printed): boolean =>
  lines.every(
    ({ orderedGrams, finalGrams, leftOut }) =>
      orderedGrams === null || finalGrams !== null || leftOut !== null,
  )

/** The paper that goes with an order: what is in it, with the weight statement of what is sold by weight. */
export const PackingSlip = ({ order }: { order: Printed }) => (
  <article className="slip">
    <header className="mb-3 flex justify-between gap-6">
      <div>
        <h3 className="text-2xl tabular-nums">{order.number}</h3>
        <p>
          {kindLabels[order.kind]}, {slotText(order.slot)}
        </p>
      </div>
      <p className="text-right">
        <strong>{buyerName(order.contact)}</strong>
        <br />
        {order.contact?.phone}
        <Address of={order} />
      </p>
    </header>
    <table className="w-full border-collapse text-left text-sm">
      <thead>
        <tr className="border-ink border-b">
          <th scope="col" className="py-1">
            Product
          </th>
          <th scope="col">Ordered</th>
          <th scope="col">Net weight</th>
          <th scope="col">From box</th>
          <th scope="col" className="text-right">
            Price
          </th>
          <th scope="col" className="text-right">
            Amount
          </th>
        </tr>
      </thead>
      <tbody className="tabular-nums [&_td]:py-1">
        {order.lines.map((line) => (
          <tr key={line.position} className="border-line border-b align-top">
            <th scope="row" className="py-1 font-normal">
              {line.title}
              <PrepareAs {...line} />
            </th>
            <td>{quantityText(line)}</td>
            <td>
              {line.leftOut !== null
                ? 'left out'
                : line.orderedGrams === null
                  ? ''
                  : line.finalGrams === null
                    ? '________ g'
                    : gramsText(line.finalGrams)}
            </td>
            <td>
              {line.boxes.map(({ boxID, amount, recall }) => (
                <span key={boxID} className="block">
                  {boxID}: {amountText(amountIn(line.unit, amount), line.unit)}
                  {recall !== null && <strong className="block">RECALLED: do not hand out</strong>}
                </span>
              ))}
            </td>
            <td className="text-right">
              {money(line.price)}/{line.unit}
              {line.discount > 0 && `, −${line.discount} %`}
            </td>
            <td className="text-right">{money(line.total)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot className="tabular-nums">
        {order.coupon && (
          <tr>
            <td colSpan={5} className="py-1 text-right">
              Coupon {order.coupon.code}, taken off above
            </td>
            <td className="text-right">{money(-(order.totals.coupon ?? 0))}</td>
          </tr>
        )}
        {order.totals.delivery > 0 && (
          <tr>
            <td colSpan={5} className="py-1 text-right">
              Delivery
            </td>
            <td className="text-right">{money(order.totals.delivery)}</td>
          </tr>
        )}
        <tr className="font-semibold">
          <td colSpan={5} className="py-1 text-right">
            {isWeighed(order) ? 'Total' : 'Total, estimated until weighed'}
          </td>
          <td className="text-right">{money(order.totals.total)}</td>
        </tr>
      </tfoot>
    </table>
    <p className="mt-3">Payment: {paymentText(order.status, order.totals.total, order.payment)}</p>
    {order.note && <p className="mt-3 whitespace-pre-line">Note: {order.note}</p>}
    <p className="mt-3 text-sm">Keep at or below 5 °C.</p>
    <LogReceipt />
  </article>
)

/** The label on an order’s bag: large enough to be read from the shelf. */
export const OrderLabel = ({ order }: { order: Printed }) => (
  <article className="order-label">
    <h3 className="font-semibold text-3xl tabular-nums">{order.number.slice(-6)}</h3>
    <p className="text-xl">{buyerName(order.contact)}</p>
    <p>
      {kindLabels[order.kind]}, {slotText(order.slot)}
    </p>
    <Address of={order} />
    <p className="text-sm">
      {order.number}, {order.lines.length} {order.lines.length === 1 ? 'line' : 'lines'}. Keep at or below 5
      °C.
    </p>
    <LogReceipt />
  </article>
)

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
    cell: (line) => <span className="font-semibold">{lineTitle(line)}</span>,
  },
  { heading: 'Ordered', labelled: true, isNumber: true, cell: quantityText },
  {
    heading: 'Net weight',
    labelled: true,
    isNumber: true,
    cell: ({ position, finalGrams, orderedGrams, leftOut }) => {
      if (leftOut !== null) return `left out: ${leftOut}`
      if (orderedGrams === null) return 'counted'
      const weighed = order.weighings.find((one) => one.position === position)
      return (
        <>
          {finalGrams === null ? 'not weighed' : gramsText(finalGrams)}
          {weighed && (
            <span className="block muted">
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
              {boxID}: {amountText(amountIn(unit, amount), unit)}
              {recall !== null && <span className="ml-2 font-semibold text-bad">recalled: {recall}</span>}
            </Link>
          )),
  },
  {
    heading: 'Amount',
    labelled: true,
    isNumber: true,
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
