import { useLoaderData } from 'react-router'
import { OrderScreen, type OrdersFound } from '#web/features/manage/order/order-screen.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<OrdersFound>

export default function ManageOrder() {
  return <OrderScreen found={useLoaderData<Data>()} />
}
