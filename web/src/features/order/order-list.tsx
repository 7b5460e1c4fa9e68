import type { Paged } from '@befaqt/domain/api/box-api'
import type { OrderRow } from '@befaqt/domain/api/order-api'
import { cents, formatDollars } from '@befaqt/domain/money'
import { Link } from 'react-router'
import { ButtonLink } from '#web/components/button.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { momentText, slotText } from '#web/time/moment.ts'
import { MarketZone, useMarketZone } from '#web/time/time.tsx'
import { OrderStatus } from './order-status.tsx'

function Row({ order }: { order: OrderRow }) {
  const zone = useMarketZone()
  const { _id, number, status, kind, total, lines, slot, createdAt } = order
  return (
    <li className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-line border-b py-4">
      <div className="min-w-0">
        <h2 className="text-xl">
          <Link to={`/user/order/${_id}`} className="link inline-flex min-h-11 items-center">
            {number}
          </Link>
        </h2>
        <p className="text-slate">
          {kind === 'pickup' ? 'Pick-up' : 'Delivery'} {slotText(slot)}
        </p>
        <p className="text-slate text-sm">placed {momentText(createdAt, zone)}</p>
      </div>
      <div className="grid content-start justify-items-end gap-1 max-sm:basis-full max-sm:justify-items-start">
        <OrderStatus status={status} kind={kind} />
        <p>
          <b className="font-semibold">{formatDollars(cents(total))}</b>
          <span className="text-slate">
            , {lines} {lines === 1 ? 'product' : 'products'}
          </span>
        </p>
      </div>
    </li>
  )
}

/** One's own orders, the newest first. */
export function OrderList({ rows, page, size, total }: Paged<OrderRow>) {
  return (
    <div className="wrap min-h-dvh pt-10 pb-16 sm:pt-14">
      <h1 className="text-4xl sm:text-5xl">My Orders</h1>
      {total === 0 ? (
        <div className="mt-6 grid justify-items-start gap-5">
          <p className="max-w-prose text-lg text-slate">
            You have not ordered anything yet with this account. Orders of guests are found by the link in
            their email.
          </p>
          <ButtonLink to="/">Back to Shop</ButtonLink>
        </div>
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
