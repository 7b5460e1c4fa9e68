import { readOrder, readOrderBoxes } from '@befaqt/domain/api/endpoints/orders'
import { ShopError } from '@befaqt/domain/errors'
import { lazy, Suspense } from 'react'
import { type LoaderFunctionArgs, useLoaderData, useRouteError } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { readPart } from '#web/api/part.ts'
import { type OrderData, OrderPage } from '#web/features/order/order-page.tsx'
import { PageError } from '#web/features/shell/error-screen.tsx'
import { PageHead } from '#web/head/page-head.tsx'

/** One's own order by the session, or any by the key of its signed link. */
export async function loader({ params, request, context }: LoaderFunctionArgs): Promise<OrderData> {
  const call = context.get(shopApi)
  const key = new URL(request.url).searchParams.get('key') ?? undefined
  const input = { params: { id: params.id ?? '' }, query: key === undefined ? {} : { key } }
  const order = await call(readOrder, input)
  const hasBoxes = order.lines.some(({ boxes }) => boxes.length > 0)
  const boxes = await readPart(context, async () => (hasBoxes ? call(readOrderBoxes, input) : []))
  return { order, boxes, link: key === undefined ? null : key }
}

export default function Order() {
  const data = useLoaderData<OrderData>()
  return (
    <>
      <PageHead describe={() => ({ title: `Order ${data.order.number}` })} />
      <OrderPage key={data.order._id} {...data} />
    </>
  )
}

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
