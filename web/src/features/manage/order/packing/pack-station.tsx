import type { ManagedOrder, OrderView, SlotSheet } from '@befaqt/domain/api/order-api'
import { slotText } from '@befaqt/domain/moment-text'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, useNavigate } from 'react-router'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { CheckboxField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { ManageLayout, ReadResult } from '../../manage-layout.tsx'
import { managedOrderPath, packingPath, slotPath } from '../../paths.ts'
import type { Read } from '../../read.ts'
import { kindLabels } from '../order-parts.tsx'
import { OrderLabel } from './packed-order.tsx'
import { ScaleBar } from './packing-form.tsx'
import { StationOrder } from './station-order.tsx'
import { useScale } from './use-scale.ts'

const KEY = 'befaqt print each label'

/** Whether this device prints the label of each order that is packed on it, which it remembers. */
function useLabelPrinting() {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    try {
      setOn(window.localStorage.getItem(KEY) !== null)
    } catch {
      // Chosen anew each time where the browser keeps nothing.
    }
  }, [])
  const set = (on: boolean) => {
    setOn(on)
    try {
      if (on) window.localStorage.setItem(KEY, '1')
      else window.localStorage.removeItem(KEY)
    } catch {
      // Kept while the page is open.
    }
  }
  return { isOn, set }
}

/** `order`: the one that is packed now; null: none of the slot is left to pack. */
export type StationFound = { sheet: SlotSheet; order: ManagedOrder | null }

/** Packing the orders of one slot, one after the other, by a keyboard, a scanner or one thumb. */
export function PackStation({ found }: { found: Read<StationFound> }) {
  const slot = found.data?.sheet.slot
  const title = slot ? `Pack: ${kindLabels[slot.kind]}, ${slotText(slot)}` : 'Pack'
  return (
    <ManageLayout title={title} help={false}>
      <ReadResult found={found}>{(data) => <Station {...data} />}</ReadResult>
    </ManageLayout>
  )
}

/** The order to be packed after this one, in the order of numbers and then from the start; null: there is no other. */
const afterwards = (orders: readonly OrderView[], id: string): string | null => {
  const at = orders.findIndex(({ _id }) => _id === id)
  const around = [...orders.slice(at + 1), ...orders.slice(0, Math.max(at, 0))]
  return around.find(({ _id, status }) => status === 'PLACED' && _id !== id)?._id ?? null
}

function Station({ sheet: { slot, orders }, order }: StationFound) {
  const navigate = useNavigate()
  const scales = useScale()
  const printing = useLabelPrinting()
  const [last, setLast] = useState<ManagedOrder | null>(null)
  const open = orders.filter(({ status }) => status === 'PLACED').length
  const next = order && afterwards(orders, order._id)
  const go = (id: string | null) => navigate(packingPath(slot._id, id ?? undefined), { replace: true })
  const packed = (done: ManagedOrder) => {
    flushSync(() => setLast(done))
    if (printing.isOn) window.print()
    void go(next)
  }
  return (
    <>
      <div className="no-print grid gap-5">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <p className="text-xl tabular-nums">
            <b className="font-semibold">{orders.length - open}</b> of {orders.length} packed
            {slot.orders > orders.length && `, the first ${orders.length} of ${slot.orders}`}
          </p>
          <Link to={slotPath(slot._id)} className="link tap">
            Picking list
          </Link>
          <CheckboxField
            label="Print each label"
            checked={printing.isOn}
            disabled={!useHydrated()}
            onChange={(event) => printing.set(event.currentTarget.checked)}
          />
          <ScaleBar scales={scales} />
        </div>
        {last && <Packed order={last} />}
        {order ? (
          <StationOrder
            key={order._id}
            order={order}
            scale={scales.scale}
            isLast={next === null}
            onPacked={() => packed(order)}
            onSkip={() => void go(next)}
          />
        ) : (
          <NothingLeft slot={slot} orders={orders.length} />
        )}
      </div>
      {last && (
        <div className="order-labels print-only">
          <OrderLabel order={last} />
        </div>
      )}
    </>
  )
}

/** What was packed a moment ago, and its label once more. */
function Packed({ order }: { order: ManagedOrder }) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-5 rounded-md bg-good-ice px-4 py-1">
      <p className="tabular-nums">
        ✓ <b className="font-semibold">{order.number}</b> is packed.
      </p>
      <Button variant="link" onClick={() => window.print()}>
        Print its label
      </Button>
      <Link to={managedOrderPath(order._id)} className="link tap">
        Open it
      </Link>
    </div>
  )
}

function NothingLeft({ slot, orders }: { slot: SlotSheet['slot']; orders: number }) {
  return (
    <div className="grid justify-items-start gap-4 border-line border-y py-10">
      <p className="text-2xl">{orders === 0 ? 'No orders for this time.' : 'All packed.'}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink variant="outline" to={`/manage/order?status=all&slot=${slot._id}`}>
          Orders of this time
        </ButtonLink>
        <ButtonLink variant="outline" to="/manage">
          Today
        </ButtonLink>
      </div>
    </div>
  )
}
