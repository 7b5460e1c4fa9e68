import type { OrderRow } from '@befaqt/domain/api/order-api'
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { momentText, slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { Suspense, useState } from 'react'
import { Link, useLoaderData } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { Badge } from '#web/components/badge.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { useFreshOrder } from '#web/features/order/order-calls.ts'
import { OrderStatus } from '#web/features/order/order-status.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import type { OrdersData } from '#web/loaders/account-loaders.ts'
import { MarketZone, useMarketZone } from '#web/time/time.tsx'

export default function Orders() {
  return (
    <>
      <PageHead describe={() => ({ title: 'My Orders' })} />
      <OrderList {...useLoaderData<OrdersData>()} />
    </>
  )
}

function Row({ order }: { order: OrderRow }) {
  const zone = useMarketZone()
  const { _id, number, status, kind, total, lines, titles, slot, createdAt } = order
  return (
    <li className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-line border-b py-4">
      <div className="min-w-0">
        <h2 className="text-xl">
          <Link to={`/user/order/${_id}`} className="link tap">
            {number}
          </Link>
        </h2>
        <p>
          {titles.join(' · ')}
          {lines > titles.length && ` and ${lines - titles.length} more`}
        </p>
        <p className="text-slate">
          {kind === 'pickup' ? 'Pick-up' : 'Delivery'} {slotText(slot)}
        </p>
        <p className="muted">placed {momentText(createdAt, zone)}</p>
      </div>
      <div className="grid content-start justify-items-end gap-1 max-sm:basis-full max-sm:justify-items-start">
        <OrderStatus status={status} kind={kind} />
        <p className="font-semibold">{formatDollars(cents(total))}</p>
      </div>
    </li>
  )
}

/** One's own orders, the newest first; above them what waits to be confirmed. */
function OrderList({ orders: { rows, page, size, total }, waiting }: OrdersData) {
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('open')
  const [dropped, setDropped] = useState(false)
  const waits = waiting.value ?? []
  const ids = waits.map(({ _id }) => _id)
  const onDropped = (id: string) => {
    removing(ids, id)
    setDropped(true)
  }
  useFreshOrder(waits.length > 0 ? 'PLACED' : 'CANCELLED')
  return (
    <div ref={place} className="wrap min-h-dvh pt-10 pb-16 sm:pt-14">
      <h1 data-empty tabIndex={-1} className="page-title">
        My Orders
      </h1>
      <p role="status" className="text-good">
        {dropped && 'The order is dropped. Nothing was taken for it.'}
      </p>
      {waiting.error !== null && (
        <Alert tone="warn" className="my-6">
          Orders that wait to be confirmed can’t be shown just now. {waiting.error}
        </Alert>
      )}
      {waits.length > 0 && <WaitingRows rows={waits} onDropped={onDropped} />}
      {total === 0 ? (
        waits.length === 0 && (
          <div className="mt-6 grid justify-items-start gap-5">
            {waiting.error === null && (
              <p className="max-w-prose text-lg text-slate">
                You have not ordered anything yet with this account. Orders of guests are found by the link in
                their email.
              </p>
            )}
            <ButtonLink to="/">Back to Shop</ButtonLink>
          </div>
        )
      ) : (
        <>
          <p className="mt-2">
            <MarketZone />
          </p>
          <ul className="my-4 max-w-4xl border-line border-t">
            {rows.map((order) => (
              <Row key={order._id} order={order} />
            ))}
          </ul>
          <Pagination page={page} size={size} total={total} thing="order" things="orders" />
        </>
      )}
    </div>
  )
}

const waitingActions = () => import('#web/features/order/waiting-actions.tsx')
/** The server has it at once, since it renders without waiting; browsers fetch it where an order waits, which few do. */
const WaitingActions = import.meta.env.SSR ? (await waitingActions()).default : lazyPart(waitingActions)

type Props = { rows: readonly WaitingOrder[]; onDropped: (id: string) => void }

/** Large first orders of an account that wait: until when, and what confirms them. They have no number yet. */
const WaitingRows = ({ rows, onDropped }: Props) => (
  <section aria-labelledby="waiting-orders" className="mt-6 mb-10 max-w-4xl">
    <h2 id="waiting-orders" className="mb-2 text-2xl">
      Not confirmed yet
    </h2>
    <ul className="border-line border-t">
      {rows.map((waiting) => (
        <WaitingRow key={waiting._id} waiting={waiting} onDropped={() => onDropped(waiting._id)} />
      ))}
    </ul>
  </section>
)

function WaitingRow({ waiting, onDropped }: { waiting: WaitingOrder; onDropped: () => void }) {
  const zone = useMarketZone()
  const { _id, kind, slot, totals, lines, createdAt } = waiting
  return (
    <li data-row={_id} className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-b py-4">
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1">
        <div className="min-w-0">
          <h3 className="text-xl">
            <Link to={`/user/order/${_id}`} data-action="open" className="link tap">
              Order of {momentText(createdAt, zone)}
            </Link>
          </h3>
          <p className="text-slate">
            {kind === 'pickup' ? 'Pick-up' : 'Delivery'} {slotText(slot)}
          </p>
        </div>
        <div className="grid content-start justify-items-end gap-1 max-sm:basis-full max-sm:justify-items-start">
          <Badge tone="warn">Waiting</Badge>
          <p>
            <b className="font-semibold">{formatDollars(cents(totals.total))}</b>
            <span className="text-slate">
              , {lines.length} {lines.length === 1 ? 'product' : 'products'}
            </span>
          </p>
        </div>
      </div>
      <Suspense>
        <WaitingActions waiting={waiting} linkKey={null} confirm={null} onDropped={onDropped} />
      </Suspense>
    </li>
  )
}
