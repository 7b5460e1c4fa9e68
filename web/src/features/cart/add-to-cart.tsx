import type { ProductView } from '@befaqt/domain/catalogue'
import { addToCart, isCartFull, isWhole, NOT_ON_SALE } from '@befaqt/domain/change-cart'
import { useState } from 'react'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { addedText } from './added-text.ts'
import { cart, useCart } from './cart-store.ts'
import { useEarlyTap } from './early-tap.ts'

/**
 * Adds a product to the cart and says so; 'Out of Stock' when there is none, or that it is not on sale just now. A press
 * before the page's script runs adds when it does. Source: spec §2, product.md.
 */
export function AddToCart({ product }: { product: ProductView }) {
  const { lines } = useCart()
  const hydrated = useHydrated()
  const [message, setMessage] = useState('')
  const [typed, setTyped] = useState('1')
  const refused = !isWhole(typed) || Number(typed) < 1
  const full = isCartFull(lines) && lines.every((line) => line._id !== product._id)
  const quantity = () => cart.get().lines.find((line) => line._id === product._id)?.quantity ?? 0
  const add = () => {
    if (refused) return
    const [before, more] = [quantity(), Number(typed)]
    cart.change((now) => addToCart(now, product, more))
    setMessage(addedText(before, quantity(), more, product.stock))
    setTyped('1')
  }
  const early = useEarlyTap(`product ${product._id}`, add)
  return (
    <div className="no-print grid gap-3">
      <div className="flex flex-wrap gap-3">
        {product.stock > 0 ? (
          <>
            <label className="flex items-center gap-2 text-slate">
              Quantity, {product.unit}
              <input
                inputMode="numeric"
                autoComplete="off"
                maxLength={6}
                value={typed}
                readOnly={!hydrated}
                aria-invalid={refused}
                onChange={(event) => setTyped(event.currentTarget.value)}
                onKeyDown={({ key }) => {
                  if (key === 'Enter') add()
                }}
                className="h-12 w-16 rounded-md border border-edge bg-surface text-center font-semibold text-ink"
              />
            </label>
            <Button
              variant="primary"
              {...early}
              onClick={add}
              className="min-h-12 px-8 data-tapped:opacity-70 max-sm:w-full noscript:hidden"
            >
              <Icon name="plus" className="size-5" />
              Add to Cart
            </Button>
          </>
        ) : (
          <Button disabled className="min-h-12 px-8 max-sm:w-full">
            {product.saleStopped ? NOT_ON_SALE : 'Out of Stock'}
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
      <p
        role="status"
        className={`min-h-6 font-semibold ${refused ? 'text-bad' : full ? 'text-warn' : 'text-good'}`}
      >
        {refused ? 'Type a whole number from 1.' : message}
      </p>
    </div>
  )
}
