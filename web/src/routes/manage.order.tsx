import { listAllSlots, listOrders, readOrderDay } from '@befaqt/domain/api/endpoints/managed-orders'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { orderQuery } from '#web/features/manage/order/order-query.ts'
import { OrderScreen, type OrdersFound } from '#web/features/manage/order/order-screen.tsx'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = Read<OrdersFound>

/** Slots of about a week. */
const SLOTS = 100

export function loader({ request, context }: LoaderFunctionArgs): Promise<Data> {
  const call = context.get(shopApi)
  const query = orderQuery(new URL(request.url).searchParams)
  return readFor(
    request,
    Promise.all([
      call(listOrders, { query: { ...query, sort: 'slot' } }),
      call(readOrderDay, { query: query.day ? { day: query.day } : {} }),
      call(listAllSlots, { query: { when: 'coming', size: SLOTS } }),
    ]).then(([orders, summary, { rows }]) => ({ orders, summary, slots: rows })),
  )
}

export default function ManageOrder() {
  return <OrderScreen found={useLoaderData<Data>()} />
}
