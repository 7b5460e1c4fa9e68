import { CartPage } from '#web/features/cart/cart-page.tsx'
import { PageHead } from '#web/head/page-head.tsx'

const describe = () => ({
  title: 'Your cart',
  description: 'What you are about to take home.',
  canonical: '/cart',
})

export default function Cart() {
  return (
    <>
      <PageHead describe={describe} />
      <CartPage />
    </>
  )
}
