import { amount, amountIn } from '@befaqt/domain/amount'
import type { SlotSheet } from '@befaqt/domain/api/order-api'
import { slotText } from '@befaqt/domain/moment-text'
import { type PickingLine, pickingList } from '@befaqt/domain/packing'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { bodyClass, type Column, EmptyList, ListTable, RowLink, TableRow } from '../list/list-table.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { amountText, buyerName, kindLabels, lineTitle, OrderStateMark } from '../order/order-parts.tsx'
import { OrderLabel, PackingSlip } from '../order/packing/packed-order.tsx'
import { managedOrderPath, packingPath } from '../paths.ts'
import type { Read } from '../read.ts'

/** The orders of one slot: what to fetch for those to be packed, slips and labels for all. */
export function SlotDetail({ found }: { found: Read<SlotSheet> }) {
  const { data } = found
  const title = data ? `${kindLabels[data.slot.kind]}, ${slotText(data.slot)}` : 'Slot'
  return (
    <ManageLayout title={title} help={false}>
      <p className="no-print mb-4 flex flex-wrap gap-x-6">
        <Link to="/manage/slot" className="link tap">
          All slots
        </Link>
        {data && (
          <Link to={`/manage/order?status=all&slot=${data.slot._id}`} className="link tap">
            In the queue
          </Link>
        )}
      </p>
      <ReadResult found={found}>{(sheet) => <Sheet sheet={sheet} />}</ReadResult>
    </ManageLayout>
  )
}

const papers = { picking: 'picking list', slips: 'packing slips', labels: 'labels' } as const
type Paper = keyof typeof papers

/** What is still to be packed, by line. */
const toPick = ({ orders }: SlotSheet) =>
  orders
    .filter(({ status }) => status === 'PLACED')
    .flatMap(({ lines }) =>
      lines
        .filter(({ boxes, leftOut }) => boxes.length === 0 && leftOut === null)
        .map((line) => ({
          product_id: line.product_id,
          title: lineTitle(line),
          unit: line.unit,
          amount: amountIn(line.unit, line.finalGrams ?? line.orderedGrams ?? line.quantity),
          preparation: line.preparation?.kind,
        })),
    )

function Sheet({ sheet }: { sheet: SlotSheet }) {
  const hydrated = useHydrated()
  const [paper, setPaper] = useState<Paper>('picking')
  const { slot, orders, boxes } = sheet
  const held = boxes.map(({ left, counted, ...box }) => ({ ...box, left: amount(left, counted) }))
  const list = pickingList(toPick(sheet), held)
  const placed = orders.filter(({ status }) => status === 'PLACED').length
  const print = (what: Paper) => {
    flushSync(() => setPaper(what))
    window.print()
  }
  return (
    <>
      <div className="no-print mb-6 flex flex-wrap gap-3">
        {placed > 0 && <ButtonLink to={packingPath(slot._id)}>Pack one after the other</ButtonLink>}
        {(Object.keys(papers) as Paper[]).map((what) => (
          <Button
            key={what}
            variant="outline"
            disabled={!hydrated || orders.length === 0}
            onClick={() => print(what)}
          >
            Print {papers[what]}
          </Button>
        ))}
      </div>
      <section className={paper === 'picking' ? '' : 'no-print'} aria-labelledby="picking">
        <h2 id="picking" className="mb-2 text-2xl">
          Picking list
        </h2>
        <p className="mb-4 text-slate">
          {placed} of {orders.length} {orders.length === 1 ? 'order' : 'orders'} to be packed. Boxes with the
          earliest catch come first.
          {slot.orders > orders.length && ` Only the first ${orders.length} of ${slot.orders} are here.`}
        </p>
        {list.length === 0 ? (
          <EmptyList>Nothing to fetch.</EmptyList>
        ) : (
          <ListTable caption="Picking list" headings={pickingColumns}>
            {list.map((line) => (
              <tbody key={`${line.product_id} ${line.unit} ${line.preparation}`} className={bodyClass}>
                <TableRow columns={pickingColumns} row={line} />
              </tbody>
            ))}
          </ListTable>
        )}
      </section>
      <section className="no-print mt-10" aria-labelledby="orders">
        <h2 id="orders" className="mb-3 text-2xl">
          Orders
        </h2>
        {orders.length === 0 && <EmptyList>No orders for this time.</EmptyList>}
        <ul className="divide-y divide-line border-line empty:hidden border-y">
          {orders.map((order) => (
            <li key={order._id} className="flex flex-wrap items-center gap-x-5 py-1">
              <RowLink to={managedOrderPath(order._id)} className="tabular-nums">
                {order.number}
              </RowLink>
              <span className="min-w-0 flex-1 wrap-anywhere">{buyerName(order.contact)}</span>
              <OrderStateMark state={order.status} />
            </li>
          ))}
        </ul>
      </section>
      {paper !== 'picking' && (
        <div className={`print-only ${paper === 'labels' ? 'order-labels' : ''}`}>
          {orders.map((order) =>
            paper === 'slips' ? (
              <PackingSlip key={order._id} order={order} />
            ) : (
              <OrderLabel key={order._id} order={order} />
            ),
          )}
        </div>
      )}
    </>
  )
}

const pickingColumns: readonly Column<PickingLine>[] = [
  {
    heading: 'Product',
    isName: true,
    cell: ({ title }) => <span className="font-semibold">{title}</span>,
  },
  {
    heading: 'To fetch',
    labelled: true,
    isNumber: true,
    cell: ({ unit, amount, lines }) => (
      <>
        {amountText(amount, unit)}
        <span className="block muted">
          {lines} {lines === 1 ? 'order' : 'orders'}
        </span>
      </>
    ),
  },
  {
    heading: 'From',
    labelled: true,
    className: 'tabular-nums',
    cell: ({ unit, from, isBoxed, short }) => (
      <>
        {from.map(({ boxID, amount }) => (
          <span key={boxID} className="block">
            box {boxID}: {amountText(amount, unit)}
          </span>
        ))}
        {!isBoxed && <span className="text-slate">no box</span>}
        {isBoxed && short.value > 0 && (
          <span className="block font-semibold text-warn">{amountText(short, unit)} short</span>
        )}
      </>
    ),
  },
]
