import { useLoaderData } from 'react-router'
import { type CheckoutData, CheckoutPage } from '#web/features/checkout/checkout-page.tsx'
import { PageHead } from '#web/head/page-head.tsx'

export default function Checkout() {
  return (
    <>
      <PageHead describe={() => ({ title: 'Checkout' })} />
      <CheckoutPage {...useLoaderData<CheckoutData>()} />
    </>
  )
}
