import type { Cart } from '@befaqt/domain/cart'
import { Suspense } from 'react'
import { Link, useLoaderData, useRevalidator } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Skeleton } from '#web/components/spinner.tsx'
import { CartChanges } from '#web/features/cart/cart-changes.tsx'
import { cart, useCart } from '#web/features/cart/cart-store.ts'
import type { Checked } from '#web/features/cart/check-cart.ts'
import { useCheckedCart } from '#web/features/cart/use-checked-cart.ts'
import { openAttempt } from '#web/features/checkout/checkout-draft.ts'
import { PageHead } from '#web/head/page-head.tsx'
import type { CheckoutData } from '#web/loaders/account-loaders.ts'

/** Without a cart it has nothing to say: it is known under the cart's address. */
const describe = () => ({
  title: 'Checkout',
  description: 'Choose a time, say where to, and place your order.',
  canonical: '/cart',
})

export default function Checkout() {
  return (
    <>
      <PageHead describe={describe} />
      <CheckoutPage {...useLoaderData<CheckoutData>()} />
    </>
  )
}

/** The server has no cart and shows only its place, so it is fetched when the page has been seen. */
const CheckoutForm = lazyPart(() => import('#web/features/checkout/checkout-form.tsx'))

const Reading = () => (
  <>
    <noscript>
      <p className="max-w-prose text-lg">
        The checkout needs JavaScript: your cart is kept in your browser, and only a script can read it and
        send it as an order. Please switch JavaScript on, or come to the market.
      </p>
    </noscript>
    <div aria-hidden="true" className="grid gap-5 lg:max-w-3xl noscript:hidden">
      <Skeleton className="h-60" />
      <Skeleton className="h-60" />
    </div>
  </>
)

/** One element, as in the cart: what the server sent of it stays as it is. */
const EMPTY = (
  <div className="grid justify-items-start gap-5">
    <p className="text-2xl">Cart is empty</p>
    <p className="max-w-prose text-slate">There is nothing to order. Put something into your cart first.</p>
    <ButtonLink to="/" variant="primary">
      Back to Shop
    </ButtonLink>
  </div>
)

/** Without a time nothing can be ordered, so nothing is asked either. */
const NoSlots = () => (
  <Alert tone="warn" className="max-w-prose">
    <p className="font-semibold">No time for pick-up or delivery is open at the moment.</p>
    <p className="mt-1">
      Nothing can be ordered until the shop opens one. Your cart stays as it is on this device: try again
      later, or buy at the market.
    </p>
    <Link to="/cart" className="link tap">
      Back to your cart
    </Link>
  </Alert>
)

/** The open times could not be read: what the visitor has typed before is still there after trying again. */
function NotRead({ message }: { message: string }) {
  const { revalidate, state } = useRevalidator()
  const busy = state === 'loading'
  return (
    <Alert tone="bad" className="max-w-prose">
      <p>Error: {message}</p>
      <p>The times for pick-up and delivery could not be read. Your cart stays as it is.</p>
      <Button variant="outline" className="my-2" aria-disabled={busy} onClick={() => void revalidate()}>
        {busy ? 'Trying…' : 'Try again'}
      </Button>
    </Alert>
  )
}

function Body({ isSettled, ...data }: CheckoutData & Pick<Checked, 'boxes'> & { isSettled: boolean }) {
  const { lines, ready } = useCart()
  const isEmpty = ready && lines.length === 0 && openAttempt() === null
  return (
    <>
      {(!ready || isEmpty) && <div className={ready ? undefined : 'if-no-cart'}>{EMPTY}</div>}
      {!ready && (
        <div className="unless-no-cart">
          <Reading />
        </div>
      )}
      {ready && !isEmpty && (isSettled ? <Filled lines={lines} {...data} /> : <Reading />)}
    </>
  )
}

function Filled({ slots, profile, boxes, lines }: CheckoutData & Pick<Checked, 'boxes'> & { lines: Cart }) {
  if (slots.value === null) return <NotRead message={slots.error} />
  if (slots.value.length === 0 && openAttempt() === null) return <NoSlots />
  return (
    <Suspense fallback={<Reading />}>
      <CheckoutForm slots={slots.value} profile={profile} lines={lines} boxes={boxes} />
    </Suspense>
  )
}

/** From the cart to an order, on one page. The cart is the browser's own, so the server shows only its place. */
function CheckoutPage(data: CheckoutData) {
  const { changes, corrupted } = useCart()
  const { boxes, isSettled } = useCheckedCart({ isKept: true })
  return (
    <div className="wrap min-h-dvh pt-10 pb-16 sm:pt-14">
      <h1 className="mb-6 page-title">Checkout</h1>
      {(changes.length > 0 || corrupted) && (
        <Alert tone="warn" onDismiss={cart.dismiss} className="mb-6">
          <CartChanges />
        </Alert>
      )}
      <Body {...data} boxes={boxes} isSettled={isSettled} />
    </div>
  )
}
