import { useLoaderData } from 'react-router'
import { OrderList, type OrdersData } from '#web/features/order/order-list.tsx'
import { PageHead } from '#web/head/page-head.tsx'

export default function Orders() {
  return (
    <>
      <PageHead describe={() => ({ title: 'My Orders' })} />
      <OrderList {...useLoaderData<OrdersData>()} />
    </>
  )
}
