import { CartPage } from '#web/features/cart/cart-page.tsx'
import type { Describe } from '#web/head/head-tags.ts'

export const head: Describe<undefined> = () => ({
  title: 'Your cart',
  description: 'What you are about to take home.',
  canonical: '/cart',
})

export default function Cart() {
  return <CartPage />
}
