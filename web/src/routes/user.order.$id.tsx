import { ShopError } from '@befaqt/domain/errors'
import { lazy, Suspense } from 'react'
import { useLoaderData, useRouteError } from 'react-router'
import { type OrderData, OrderPage, type WaitingData } from '#web/features/order/order-page.tsx'
import { PageError } from '#web/features/shell/error-screen.tsx'
import { PageHead } from '#web/head/page-head.tsx'

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
