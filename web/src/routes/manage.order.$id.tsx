import { useLoaderData } from 'react-router'
import { OrderDetail, type OrderFound } from '#web/features/manage/order/order-detail.tsx'
import type { Read } from '#web/features/manage/read.ts'

export default function ManageOneOrder() {
  return <OrderDetail found={useLoaderData<Read<OrderFound>>()} />
}
