import { type Cart, type CartLine, lineKey } from '@befaqt/domain/cart'
import type { ProductView } from '@befaqt/domain/catalogue'
import {
  type Chosen,
  prepareAs,
  putBack,
  quantityOf,
  removeFromCart,
  unmerged,
} from '@befaqt/domain/change-cart'
import { unitsText } from '@befaqt/domain/labelling'
import { type Cents, NO_MONEY } from '@befaqt/domain/money'
import { lineLimit } from '@befaqt/domain/order-totals'
import { preparations, preparedTitle } from '@befaqt/domain/preparation'
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Skeleton } from '#web/components/spinner.tsx'
import { useSignInPath } from '#web/features/account/use-next.ts'
import { CartLineRow } from '#web/features/cart/cart-line-row.tsx'
import { cart, useCart } from '#web/features/cart/cart-store.ts'
import { CartTotals } from '#web/features/cart/cart-totals.tsx'
import type { Checked } from '#web/features/cart/check-cart.ts'
import { MayBeAnotherBox, useLineFreshness } from '#web/features/cart/line-freshness.tsx'
import { useCheckedCart } from '#web/features/cart/use-checked-cart.ts'
import type { AppliedCode } from '#web/features/checkout/coupon-part.tsx'
import { PageHead } from '#web/head/page-head.tsx'
import { useSite, useViewer } from '#web/root-data.ts'

const describe = () => ({
  title: 'Your cart',
  description: 'What you are about to take home.',
  canonical: '/cart',
})

export default function CartScreen() {
  return (
    <>
      <PageHead describe={describe} />
      <CartPage />
    </>
  )
}

/** Fetched when there is something to tell. */
const CartChanges = lazy(() =>
  import('#web/features/cart/cart-changes.tsx').then((module) => ({ default: module.CartChanges })),
)

/** Nobody has to ask: it comes when the rest is there. */
const CartExtras = lazyPart(() => import('#web/features/checkout/cart-extras.tsx'))

const Reading = () => (
  <>
    <noscript>
      <p className="text-lg">The cart is kept in your browser and needs JavaScript.</p>
    </noscript>
    <div aria-hidden="true" className="grid gap-5 lg:max-w-3xl">
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </div>
  </>
)

/** In what the server sends; its script comes when the rest is there. */
const FreshestInstead = import.meta.env.SSR
  ? (await import('#web/features/catalogue/freshest-instead.tsx')).default
  : lazyPart(() => import('#web/features/catalogue/freshest-instead.tsx'))

/** One element, so that what the server sent of it stays as it is until its script is there. */
const EMPTY = (
  <div className="grid justify-items-start gap-5">
    <p className="text-2xl">Cart is empty</p>
    <ButtonLink to="/" variant="primary">
      Back to Shop
    </ButtonLink>
    <Suspense>
      <FreshestInstead />
    </Suspense>
  </div>
)

/** What was done to the cart, and what brings it back into the cart as it is then. */
type Undo = { message: string; restore: (now: Cart) => Cart }

type UndoneProps = { undo: Undo | null; onUndo: () => void; button: RefObject<HTMLButtonElement | null> }

/** Says what is gone, and puts it back if that was a slip. */
function Undone({ undo, onUndo, button }: UndoneProps) {
  return (
    <div role="status" className="min-h-11">
      {undo && (
        <p className="flex flex-wrap items-center gap-x-3 text-slate wrap-anywhere">
          {undo.message}
          <button ref={button} type="button" onClick={onUndo} className="link min-h-11 px-1 font-semibold">
            Undo
          </button>
        </p>
      )}
    </div>
  )
}

/**
 * Hands the focus of what was pressed on, where that is gone with the next drawing: to Undo, and after Undo to the heading.
 * A wish that was not needed then is over: what takes the focus later, such as another tab, has nothing to do with it.
 */
function useFocusAfterUndo() {
  const button = useRef<HTMLButtonElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const next = useRef<RefObject<HTMLElement | null>>(null)
  useEffect(() => {
    const wish = next.current
    next.current = null
    if (document.activeElement === document.body) wish?.current?.focus()
  })
  const focusNext = (target: RefObject<HTMLElement | null>) => {
    next.current = target
  }
  return { button, heading, focusNext }
}

/** Takes lines out of what is stored now, or puts one into another, and remembers which: other tabs change the same cart. */
function useRemoving() {
  const [undo, setUndo] = useState<Undo | null>(null)
  const { focusNext, ...focus } = useFocusAfterUndo()
  const take = (message: string, step: (now: Cart) => Cart) =>
    cart.change((before) => {
      const left = step(before)
      const gone = new Set(before.filter((line) => !left.includes(line)).map(lineKey))
      setUndo({ message, restore: (now) => putBack(now, before, gone) })
      focusNext(focus.button)
      return left
    })
  return {
    undo,
    focus,
    restore: () => {
      if (undo) cart.change(undo.restore)
      setUndo(null)
      focusNext(focus.heading)
    },
    remove: (line: CartLine) =>
      take(`${preparedTitle(line.title, line.preparation)} was removed.`, (now) =>
        removeFromCart(now, lineKey(line)),
      ),
    prepare: (line: CartLine, product: ProductView, chosen: Chosen) =>
      cart.change((before) => {
        const left = prepareAs(before, lineKey(line), product, chosen)
        if (left.length === before.length) return left
        const into = lineKey({ _id: line._id, ...(chosen !== 'whole' && { preparation: chosen }) })
        const { quantity = 0 } = left.find((one) => lineKey(one) === into) ?? {}
        setUndo({
          message: `${line.title}, ${preparations[chosen].name.toLowerCase()}, is one line now: ${unitsText(quantity, line.unit)}.`,
          restore: (now) => unmerged(now, before, lineKey(line), into),
        })
        focusNext(focus.button)
        return left
      }),
    clear: () => take('The cart was cleared.', () => []),
  }
}

type FilledProps = { lines: Cart; removing: ReturnType<typeof useRemoving> } & Pick<
  Checked,
  'ownLimits' | 'boxes' | 'prepared'
>

function Filled({ lines, ownLimits, boxes, prepared, removing }: FilledProps) {
  const freshnessOf = useLineFreshness(boxes)
  const limits = useSite()?.orderLimits
  const [code, setCode] = useState<AppliedCode | null>(null)
  const [fee, setFee] = useState<Cents>(NO_MONEY)
  /** The most units of a product; undefined: not known. */
  const mostOf = ({ _id, unit }: CartLine): number | undefined => {
    const orderLimit = ownLimits.get(_id)
    return limits === undefined || orderLimit === undefined
      ? undefined
      : lineLimit({ unit, orderLimit }, limits)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <section aria-label="In your cart">
        <ul className="border-line border-t">
          {lines.map((line, i) => (
            <CartLineRow
              key={`${line._id} ${lines.slice(0, i).filter(({ _id }) => _id === line._id).length}`}
              line={line}
              others={quantityOf(lines, line, lineKey(line))}
              most={mostOf(line)}
              product={prepared.get(line._id)}
              freshness={freshnessOf(line)}
              onRemove={() => removing.remove(line)}
              onPrepare={(product, chosen) => removing.prepare(line, product, chosen)}
            />
          ))}
        </ul>
        {lines.some(freshnessOf) && <MayBeAnotherBox />}
        <button type="button" onClick={removing.clear} className="link mt-2 min-h-11">
          Clear the cart
        </button>
      </section>
      <section
        aria-label="Totals"
        className="content-start self-start rounded-lg bg-ice p-6 lg:sticky lg:top-20"
      >
        <CartTotals lines={lines} coupon={code?.lines === lines ? code.checked : null} fee={fee} />
        <Suspense>
          <CartExtras lines={lines} code={code} onCode={setCode} onFee={setFee} />
        </Suspense>
        <div className="mt-5 grid gap-3">
          <Checkout />
          <Link to="/" className="link tap justify-center">
            Back to Shop
          </Link>
        </div>
      </section>
    </div>
  )
}

/** The cart. It is the browser's own, so the server sends its place, and what is shown where there is none. */
function CartPage() {
  const { lines, ready: isRead, changes, corrupted, storageUnavailable } = useCart()
  const { failure, isSettled, ...checked } = useCheckedCart({ isKept: false })
  const isEmpty = isRead && lines.length === 0
  const removing = useRemoving()
  return (
    <div className="wrap min-h-dvh pt-10 sm:pt-14">
      <h1 ref={removing.focus.heading} tabIndex={-1} className="page-title">
        Your cart
      </h1>
      <p className="mt-3 mb-2 max-w-prose text-slate">Your cart is saved on this device.</p>
      {(changes.length > 0 || corrupted) && (
        <Alert tone="warn" onDismiss={cart.dismiss} className="mb-6">
          <Suspense>
            <CartChanges />
          </Suspense>
        </Alert>
      )}
      {storageUnavailable && (
        <Alert tone="warn" className="mb-6">
          Not in this browser: it keeps nothing, and the cart is gone when you close the page.
        </Alert>
      )}
      {failure && lines.length > 0 && (
        <Alert tone="bad" className="mb-6">
          Error: {failure} Prices and stock are as they were when you last looked.
        </Alert>
      )}
      <Undone undo={removing.undo} onUndo={removing.restore} button={removing.focus.button} />
      {(!isRead || isEmpty) && <div className={isRead ? undefined : 'if-no-cart'}>{EMPTY}</div>}
      {!isRead && (
        <div className="unless-no-cart">
          <Reading />
        </div>
      )}
      {isRead && !isEmpty && !isSettled && <Reading />}
      {isRead && !isEmpty && isSettled && <Filled lines={lines} {...checked} removing={removing} />}
    </div>
  )
}

/** The way to the checkout. The button goes when it is pressed. Source: spec §2, §4. */
function Checkout() {
  const viewer = useViewer()
  const signIn = useSignInPath()
  const navigate = useNavigate()
  const [pressed, setPressed] = useState(false)
  const press = () => {
    setPressed(true)
    void navigate('/checkout')
  }
  if (pressed)
    return (
      <p role="status" className="grid min-h-12 place-items-center text-slate">
        Opening the checkout…
      </p>
    )
  if (viewer)
    return (
      <Button variant="primary" onClick={press} className="min-h-12 w-full">
        Checkout
      </Button>
    )
  return (
    <div className="grid gap-3">
      <ButtonLink to={signIn} variant="primary" className="min-h-12">
        Login to buy
      </ButtonLink>
      <Button variant="outline" onClick={press} className="min-h-12">
        Checkout as a Guest
      </Button>
    </div>
  )
}
