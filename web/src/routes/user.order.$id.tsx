import { ShopError } from '@befaqt/domain/errors'
import { slotText } from '@befaqt/domain/moment-text'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useLoaderData, useLocation, useRouteError } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { LogReceipt } from '#web/features/order/log-receipt.tsx'
import { BuyAgain, CancelOrder } from '#web/features/order/order-actions.tsx'
import type { ActionProps, OrderData, WaitingData } from '#web/features/order/order-calls.ts'
import { OrderLines, OrderTotals } from '#web/features/order/order-lines.tsx'
import { OrderStatus } from '#web/features/order/order-status.tsx'
import { PickUpPlace } from '#web/features/order/pick-up-place.tsx'
import { PageError } from '#web/features/shell/error-screen.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import { useViewer } from '#web/root-data.ts'

export default function Order() {
  const data = useLoaderData<OrderData | WaitingData>()
  if ('waiting' in data)
    return (
      <>
        <PageHead describe={() => ({ title: 'Your order waits' })} />
        <Suspense>
          <WaitingPage key={data.waiting._id} {...data} />
        </Suspense>
      </>
    )
  return (
    <>
      <PageHead describe={() => ({ title: `Order ${data.order.number}` })} />
      <OrderPage key={data.order._id} {...data} />
    </>
  )
}

const waitingPage = () => import('#web/features/order/waiting-page.tsx')
/** The server has it at once; browsers fetch it when an order waits. */
const WaitingPage = import.meta.env.SSR ? (await waitingPage()).default : lazy(waitingPage)

const notFound = () => import('#web/features/order/order-not-found.tsx')
/** The server has it at once, since it renders without waiting; browsers fetch it when an order is not found. */
const OrderNotFound = import.meta.env.SSR ? (await notFound()).default : lazy(notFound)

export function ErrorBoundary() {
  const error = useRouteError()
  const unknown = error instanceof ShopError && error.code === 'order.not_found'
  if (!unknown) return <PageError />
  return (
    <Suspense>
      <OrderNotFound />
    </Suspense>
  )
}

const alerts = () => import('#web/features/order/order-alerts.tsx')
/** The server has them at once, since it renders without waiting; browsers fetch them when there is something to say. */
const AskTotal = import.meta.env.SSR
  ? (await alerts()).AskTotal
  : lazyPart(async () => ({ default: (await alerts()).AskTotal }))
const ConfirmOrder = import.meta.env.SSR
  ? (await alerts()).ConfirmOrder
  : lazyPart(async () => ({ default: (await alerts()).ConfirmOrder }))
const OrderThanks = lazyPart(async () => ({ default: (await alerts()).OrderThanks }))
const orderPayment = () => import('#web/features/order/order-payment.tsx')
const OrderPayment = import.meta.env.SSR ? (await orderPayment()).default : lazyPart(orderPayment)
const progress = () => import('#web/features/order/order-progress.tsx')
/** With the table of an order's life. */
const OrderProgress = import.meta.env.SSR
  ? (await progress()).OrderProgress
  : lazyPart(async () => ({ default: (await progress()).OrderProgress }))
const OrderDocuments = import.meta.env.SSR
  ? (await progress()).OrderDocuments
  : lazyPart(async () => ({ default: (await progress()).OrderDocuments }))

const amendOrder = () => import('#web/features/order/amend-order.tsx')
const AmendOrder = import.meta.env.SSR ? (await amendOrder()).default : lazyPart(amendOrder)

const complaintPart = () => import('#web/features/order/complaint/complaints.tsx')
const Complaints = import.meta.env.SSR ? (await complaintPart()).default : lazyPart(complaintPart)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="muted">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)

/** How, when and for whom. What is personal goes with a deleted account. */
function Facts(props: ActionProps) {
  const { order } = props
  const { kind, slot, address, contact, note } = order
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      <Fact name={kind === 'pickup' ? 'Pick-up' : 'Delivery'}>
        <b className="font-semibold">{slotText(slot)}</b>
        {kind === 'pickup' && <PickUpPlace at={order.pickUp} />}
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
function OrderPage({ order, boxes, complaints, link, confirm }: OrderData) {
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
      {order.status === 'PLACED' && (
        <Suspense>
          <AmendOrder {...asked} />
        </Suspense>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-10">
          <Facts {...asked} />
          <OrderLines order={order} boxes={boxes} />
          {order.status !== 'PLACED' && (
            <Suspense>
              <Complaints {...asked} told={complaints} />
            </Suspense>
          )}
        </div>
        <div className="grid content-start gap-10 print:grid-cols-2">
          <section
            aria-label="Totals"
            className="rounded-lg bg-ice p-5 sm:p-6 print:bg-transparent print:p-0"
          >
            <OrderTotals totals={order.totals} agreed={order.agreed} coupon={order.coupon} />
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
              <Link to="/user/order" className="link tap basis-full">
                All my orders
              </Link>
            )}
          </div>
        </div>
      </div>
      <div className="print-only">
        <LogReceipt />
      </div>
    </div>
  )
}
