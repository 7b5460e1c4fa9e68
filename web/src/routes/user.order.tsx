import type { Paged } from '@befaqt/domain/api/box-api'
import type { OrderRow } from '@befaqt/domain/api/order-api'
import { useLoaderData } from 'react-router'
import { OrderList } from '#web/features/order/order-list.tsx'
import { PageHead } from '#web/head/page-head.tsx'

export default function Orders() {
  return (
    <>
      <PageHead describe={() => ({ title: 'My Orders' })} />
      <OrderList {...useLoaderData<Paged<OrderRow>>()} />
    </>
  )
}
