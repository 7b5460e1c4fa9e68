import { addToCart, isCartFull, MAX_CART_LINES } from '@befaqt/domain/cart'
import type { ProductView } from '@befaqt/domain/catalogue'
import { useState } from 'react'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { cart, useCart } from './cart-store.ts'

function said(before: number, after: number, stock: number): string {
  if (after === 0)
    return `Your cart is full: it holds ${MAX_CART_LINES} different products. Remove one to add this.`
  if (after === before) return `That is all we have: ${stock} in your cart.`
  return `Added. ${after} in your cart.`
}

/**
 * Adds a product to the cart and says so; 'Out of Stock' when there is none. It waits for the page's script: a press
 * before that would be lost. Source: spec §2, product.md.
 */
export function AddToCart({ product }: { product: ProductView }) {
  const { lines } = useCart()
  const hydrated = useHydrated()
  const [message, setMessage] = useState('')
  const full = isCartFull(lines) && lines.every((line) => line._id !== product._id)
  const quantity = () => cart.get().lines.find((line) => line._id === product._id)?.quantity ?? 0
  const add = () => {
    const before = quantity()
    cart.change((now) => addToCart(now, product))
    setMessage(said(before, quantity(), product.stock))
  }
  return (
    <div className="no-print grid gap-3">
      <div className="flex flex-wrap gap-3">
        {product.stock > 0 ? (
          <Button
            variant="primary"
            disabled={!hydrated}
            onClick={add}
            className="min-h-12 px-8 max-sm:w-full"
          >
            <Icon name="plus" className="size-5" />
            Add to Cart
          </Button>
        ) : (
          <Button disabled className="min-h-12 px-8 max-sm:w-full">
            Out of Stock
          </Button>
        )}
        <ButtonLink to="/cart" variant={lines.length > 0 ? 'secondary' : 'outline'} className="min-h-12">
          <Icon name="cart" className="size-5" />
          Go to Cart
        </ButtonLink>
        <ButtonLink to="/" variant="link" className="min-h-12 px-1">
          Back to Shop
        </ButtonLink>
      </div>
      <p className="hidden noscript:block">
        Adding to the cart needs JavaScript: the cart is kept in your browser.
      </p>
      <p role="status" className={`min-h-6 font-semibold ${full ? 'text-warn' : 'text-good'}`}>
        {message}
      </p>
    </div>
  )
}
