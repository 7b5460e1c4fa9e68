import { NOT_ON_SALE } from '@befaqt/domain/cart'
import type { ProductView } from '@befaqt/domain/catalogue'
import type { Chosen } from '@befaqt/domain/change-cart'
import { unitsText } from '@befaqt/domain/labelling'
import { type Cents, centsFromDecimal, discounted, formatDollars, priceOf } from '@befaqt/domain/money'
import { gramsPerUnit, plus, stepOf, typedQuantity } from '@befaqt/domain/quantity'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { useCart } from './cart-store.ts'
import { useEarlyTap } from './early-tap.ts'
import { Step } from './step.tsx'

const preparationChoice = () => import('./preparation-choice.tsx')
/** The server has it at once; browsers fetch it where something is offered. */
const PreparationChoice = import.meta.env.SSR
  ? (await preparationChoice()).default
  : lazy(() => preparationChoice().catch(() => ({ default: () => <></> })))

/**
 * Amounts that people ask for, in units: whole pieces of what is sold by the kilogram and has a usual weight, in the nearest
 * steps that are sold, else parts of a kilogram; of anything else so many.
 */
function usual({ unit, pieceWeight }: ProductView, step: number): number[] {
  if (gramsPerUnit(unit) !== 1_000) return [1, 2, 6]
  const piece = pieceWeight / 1_000
  if (piece < step) return [0.25, 0.5, 1, 2]
  return [1, 2, 4].map((pieces) => Math.round(Math.round((pieces * piece) / step) * step * 1_000) / 1_000)
}

/** ', about 2 pieces' where one has a usual weight: what is packed is weighed. */
function piecesText({ unit, pieceWeight }: ProductView, quantity: number): string {
  if (gramsPerUnit(unit) !== 1_000 || pieceWeight === 0) return ''
  const pieces = Math.max(1, Math.round((quantity * 1_000) / pieceWeight))
  return `, about ${pieces} ${pieces === 1 ? 'piece' : 'pieces'}`
}

/**
 * Adds an amount of a product to the cart and says so: one that is usual, or typed, in the product's steps. What it takes
 * is fetched when it is pressed; a press before the page's script runs adds when it does. 'Out of Stock' when there is
 * none, or that it is not on sale just now. Source: spec §2, product.md.
 */
export function AddToCart({ product }: { product: ProductView }) {
  const { unit, stock, price, discount } = product
  const { lines } = useCart()
  const hydrated = useHydrated()
  const [typed, setTyped] = useState(`${Math.min(1, stock)}`)
  const [message, setMessage] = useState('')
  const [choice, choose] = useState<Chosen>()
  const line = lines.findLast(({ _id }) => _id === product._id)
  const prepared = product.preparations.find(({ kind }) => kind === (choice ?? line?.preparation))
  const step = stepOf(product)
  const quantity = typedQuantity(typed, step)
  const add = () => {
    if (!quantity) return
    import('./add-one.ts').then(
      ({ addAmount }) => {
        setMessage(addAmount(product, quantity, chosen))
        setTyped(`${Math.min(quantity, stock)}`) // who buys half a kilo once more buys half a kilo
      },
      () => setMessage('Try again.'),
    )
  }
  const chosen = prepared?.kind ?? 'whole'
  // The same element until another is chosen: React takes away what the server sent of it when it is rendered anew before its script is there.
  const preparation = useMemo(
    () =>
      product.preparations.length > 0 && (
        <Suspense>
          <PreparationChoice product={product} chosen={chosen} onChoose={choose} />
        </Suspense>
      ),
    [product, chosen],
  )
  const early = useEarlyTap(`product ${product._id}`, add)
  return (
    <div className="no-print grid grid-cols-[minmax(0,1fr)] gap-3">
      {stock > 0 && (
        <>
          {preparation}
          <fieldset className="flex flex-wrap gap-2 noscript:hidden">
            <legend className="sr-only">Usual amounts</legend>
            {usual(product, step)
              .filter((amount) => amount <= stock && typedQuantity(`${amount}`, step))
              .map((amount) => (
                <button
                  key={amount}
                  type="button"
                  disabled={!hydrated}
                  aria-pressed={amount === quantity}
                  onClick={() => setTyped(`${amount}`)}
                  className="min-h-11 rounded-full wrap-anywhere border border-edge px-4 aria-pressed:border-teal aria-pressed:bg-ice aria-pressed:font-semibold"
                >
                  {unitsText(amount, unit)}
                  {piecesText(product, amount)}
                </button>
              ))}
          </fieldset>
          <div className="flex flex-wrap items-center gap-2 text-slate wrap-anywhere">
            <label htmlFor="amount">Quantity, {unit}</label>
            <span className="flex items-center rounded-md border border-edge bg-surface">
              <Step
                icon="minus"
                label="Less"
                disabled={!quantity || quantity <= step}
                onPress={() => setTyped(`${plus(quantity ?? 0, -step)}`)}
              />
              <input
                id="amount"
                inputMode="decimal"
                autoComplete="off"
                maxLength={8}
                value={typed}
                readOnly={!hydrated}
                aria-invalid={!quantity}
                onChange={(event) => setTyped(event.currentTarget.value)}
                onKeyDown={({ key }) => {
                  if (key === 'Enter') add()
                }}
                className="h-12 w-16 bg-transparent text-center font-semibold text-ink"
              />
              <Step
                icon="plus"
                label="More"
                disabled={quantity !== null && quantity >= stock}
                onPress={() => setTyped(`${plus(quantity ?? 0, step)}`)}
              />
            </span>
          </div>
        </>
      )}
      <p role="status" className={`min-h-6 font-semibold ${quantity ? 'text-good' : 'text-bad'}`}>
        {quantity
          ? message
          : stock > 0 &&
            (step < 1 ? `Type kilograms in steps of ${step}, as in 0.5.` : 'Type a whole number from 1.')}
      </p>
      <div className="flex flex-wrap gap-3">
        {stock > 0 ? (
          <Button
            variant="primary"
            {...early}
            aria-describedby="added"
            className="min-h-12 px-8 data-tapped:opacity-70 max-sm:w-full noscript:hidden"
          >
            <Icon name="plus" className="size-5" />
            Add to Cart
            {!!quantity && (
              <span id="added" aria-hidden="true">
                {unitsText(quantity, unit)} ·{' '}
                {formatDollars(
                  discounted(
                    priceOf((centsFromDecimal(price) + (prepared?.feeCents ?? 0)) as Cents, quantity),
                    discount,
                  ),
                )}
              </span>
            )}
          </Button>
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
    </div>
  )
}
