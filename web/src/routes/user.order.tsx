import type { Paged } from '@befaqt/domain/api/box-api'
import { listOwnOrders } from '@befaqt/domain/api/endpoints/orders'
import type { OrderRow } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { OrderList } from '#web/features/order/order-list.tsx'
import { PageHead } from '#web/head/page-head.tsx'

const SIZE = 20

/** Needs a session: without one it leads to the sign-in, which leads back here. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Paged<OrderRow> | Response> {
  const page = Number(new URL(request.url).searchParams.get('page') ?? '1')
  try {
    return await context.get(shopApi)(listOwnOrders, { query: { page, size: SIZE } })
  } catch (error) {
    if (error instanceof ShopError && error.code === 'auth.required')
      return redirect('/user/signin?next=/user/order')
    throw error
  }
}

export default function Orders() {
  return (
    <>
      <PageHead describe={() => ({ title: 'My Orders' })} />
      <OrderList {...useLoaderData<Paged<OrderRow>>()} />
    </>
  )
}
