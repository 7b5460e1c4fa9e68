import { readManagedOrder } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { OrderDetail } from '#web/features/manage/order/order-detail.tsx'
import { type Read, readFor } from '#web/features/manage/read.ts'

type Data = Read<ManagedOrder>

export const loader = ({ request, params, context }: LoaderFunctionArgs): Promise<Data> =>
  readFor(request, context.get(shopApi)(readManagedOrder, { params: { id: params.id ?? '' } }))

export default function ManageOneOrder() {
  return <OrderDetail found={useLoaderData<Data>()} />
}
