import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { useLoaderData } from 'react-router'
import { OrderDetail } from '#web/features/manage/order/order-detail.tsx'
import type { Read } from '#web/features/manage/read.ts'

type Data = Read<ManagedOrder>

export default function ManageOneOrder() {
  return <OrderDetail found={useLoaderData<Data>()} />
}
