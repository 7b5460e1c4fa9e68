import { listSlots } from '@befaqt/domain/api/endpoints/orders'
import { readProfile } from '@befaqt/domain/api/endpoints/profile'
import { readViewer } from '@befaqt/domain/api/endpoints/site'
import type { ShopApi } from '@befaqt/domain/api/shop-api'
import { type LoaderFunctionArgs, useLoaderData } from 'react-router'
import { shopApi } from '#web/api/context.ts'
import { readPart } from '#web/api/part.ts'
import { type CheckoutData, CheckoutPage } from '#web/features/checkout/checkout-page.tsx'
import { PageHead } from '#web/head/page-head.tsx'

/** Each kind by itself: a list of slots is limited. */
async function readSlots(call: ShopApi) {
  const lists = await Promise.all([
    call(listSlots, { query: { kind: 'pickup' } }),
    call(listSlots, { query: { kind: 'delivery' } }),
  ])
  return lists.flat()
}

const readOwn = async (call: ShopApi) => ((await call(readViewer)) === null ? null : call(readProfile))

/** What fails of it is said in its place: what is in the cart and what was typed stays. */
export async function loader({ context }: LoaderFunctionArgs): Promise<CheckoutData> {
  const call = context.get(shopApi)
  const [slots, profile] = await Promise.all([
    readPart(context, () => readSlots(call)),
    readPart(context, () => readOwn(call)),
  ])
  return { slots, profile: profile.value }
}

export default function Checkout() {
  return (
    <>
      <PageHead describe={() => ({ title: 'Checkout' })} />
      <CheckoutPage {...useLoaderData<CheckoutData>()} />
    </>
  )
}
