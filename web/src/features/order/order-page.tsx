import type { OrderBox } from '@befaqt/domain/api/box-api'
import type { OrderView } from '@befaqt/domain/api/order-api'
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { slotText } from '@befaqt/domain/moment-text'
import { type ReactNode, Suspense, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Part } from '#web/api/part.ts'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { useSite, useViewer } from '#web/root-data.ts'
import { BuyAgain } from './buy-again.tsx'
import { CancelOrder } from './cancel-order.tsx'
import type { ActionProps } from './order-input.ts'
import { OrderLines } from './order-lines.tsx'
import { OrderStatus } from './order-status.tsx'
import { OrderTotals } from './order-totals.tsx'

const askTotal = () => import('./ask-total.tsx')
/** The server has it at once, since it renders without waiting; browsers fetch it when a buyer is asked. */
const AskTotal = import.meta.env.SSR ? (await askTotal()).default : lazyPart(askTotal)
const orderDocuments = () => import('./order-documents.tsx')
const OrderDocuments = import.meta.env.SSR ? (await orderDocuments()).default : lazyPart(orderDocuments)
const orderPayment = () => import('./order-payment.tsx')
const OrderPayment = import.meta.env.SSR ? (await orderPayment()).default : lazyPart(orderPayment)
const confirmOrder = () => import('./confirm-order.tsx')
const ConfirmOrder = import.meta.env.SSR ? (await confirmOrder()).default : lazyPart(confirmOrder)
const orderProgress = () => import('./order-progress.tsx')
/** With the table of an order's life. */
const OrderProgress = import.meta.env.SSR ? (await orderProgress()).default : lazyPart(orderProgress)
const OrderThanks = lazyPart(() => import('./order-thanks.tsx'))

/**
 * `link`: the key of the signed link by which it is seen; null: it is one's own. `confirm`: what only the link in its
 * email says; null: it was opened otherwise.
 */
type ByLink = { link: string | null; confirm: string | null }
export type OrderData = ByLink & { order: OrderView; boxes: Part<OrderBox[]> }
export type WaitingData = ByLink & { waiting: WaitingOrder }

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-slate text-sm">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)

/** How, when and for whom. What is personal goes with a deleted account. */
function Facts(props: ActionProps) {
  const { order } = props
  const site = useSite()
  const { kind, slot, address, contact, note } = order
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      <Fact name={kind === 'pickup' ? 'Pick-up' : 'Delivery'}>
        <b className="font-semibold">{slotText(slot)}</b>
        {kind === 'pickup' && <span className="block">{site?.market.name}</span>}
        {address && (
          <span className="block">
            {address.street}, {address.suburb} {address.state} {address.postcode}
          </span>
        )}
      </Fact>
      {contact && (
        <Fact name="For">
          {contact.fname} {contact.lname}
          <span className="block">{contact.email}</span>
          <span className="block">{contact.phone}</span>
        </Fact>
      )}
      {note && <Fact name="Note">{note}</Fact>}
      <Fact name="Payment">
        {order.payment ? (
          <Suspense>
            <OrderPayment {...props} at="fact" />
          </Suspense>
        ) : (
          'When you get it'
        )}
      </Fact>
    </dl>
  )
}

/** One order, from being placed to being handed over, for its buyer; on paper the statement of its weights. */
export function OrderPage({ order, boxes, link, confirm }: OrderData) {
  const hydrated = useHydrated()
  const viewer = useViewer()
  const { state } = useLocation()
  // Right after it was placed: not after a reload, which keeps the state, too.
  const [thanks] = useState(hydrated && state?.placed === true)
  const asked = { order, linkKey: link }
  return (
    <div className="wrap order-paper pt-10 pb-16 sm:pt-14">
      {thanks && (
        <Suspense>
          <OrderThanks {...asked} />
        </Suspense>
      )}
      <div className="mb-6 flex flex-wrap items-center gap-x-5 gap-y-2">
        <h1 className="text-3xl sm:text-5xl">
          Order <span className="whitespace-nowrap">{order.number}</span>
        </h1>
        <OrderStatus status={order.status} kind={order.kind} />
      </div>
      {order.unconfirmed && confirm !== null && (
        <Suspense>
          <ConfirmOrder {...asked} confirm={confirm} />
        </Suspense>
      )}
      {order.asksBuyer && (
        <Suspense>
          <AskTotal {...asked} />
        </Suspense>
      )}
      {order.payment && (
        <Suspense>
          <OrderPayment {...asked} at="top" />
        </Suspense>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-10">
          <Facts {...asked} />
          <OrderLines order={order} boxes={boxes} />
        </div>
        <div className="grid content-start gap-10 print:grid-cols-2">
          <section
            aria-label="Totals"
            className="rounded-lg bg-ice p-5 sm:p-6 print:bg-transparent print:p-0"
          >
            <OrderTotals totals={order.totals} agreed={order.agreed} />
          </section>
          <Suspense>
            <OrderProgress order={order} />
          </Suspense>
          <div className="no-print flex flex-wrap gap-3">
            <BuyAgain lines={order.lines} />
            <Button variant="outline" disabled={!hydrated} onClick={() => window.print()}>
              Print
            </Button>
            <CancelOrder {...asked} />
            <Suspense>
              <OrderDocuments {...asked} />
            </Suspense>
            {viewer && link === null && (
              <Link to="/user/order" className="link inline-flex min-h-11 basis-full items-center">
                All my orders
              </Link>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}
