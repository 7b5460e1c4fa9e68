import { type CartLine, lineKey } from '@befaqt/domain/cart'
import type { ProductView } from '@befaqt/domain/catalogue'
import {
  type Chosen,
  decrease,
  increase,
  isOffStep,
  setQuantity,
  stepBefore,
} from '@befaqt/domain/change-cart'
import { unitsText } from '@befaqt/domain/labelling'
import { discountLabel, formatDollars, NO_MONEY } from '@befaqt/domain/money'
import { lineTotals } from '@befaqt/domain/order-totals'
import { productPath } from '@befaqt/domain/page-paths'
import { nameOf, preparedTitle } from '@befaqt/domain/preparation'
import { plus, stepOf, typedQuantity } from '@befaqt/domain/quantity'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { Picture } from '#web/components/picture.tsx'
import { cart } from './cart-store.ts'
import { Step } from './step.tsx'

/**
 * `others`: how much of its product is in other lines; `most`: the most units of it that one order takes; undefined: not
 * known.
 */
type Props = { line: CartLine; others: number; most: number | undefined; onRemove: () => void }
/** `product`: it, where it can be prepared; `freshness`: what is said of its fish, if anything is. */
type RowProps = Props & {
  product: ProductView | undefined
  freshness: ReactNode
  onPrepare: (product: ProductView, chosen: Chosen) => void
}

const Prepared = ({ chosen }: { chosen: string }) => (
  <>{nameOf(chosen) && <p className="mt-1 font-semibold">{nameOf(chosen)}</p>}</>
)

/** Fetched where there is a choice. */
const PreparationSelect = lazy(() => import('./preparation-select.tsx').catch(() => ({ default: Prepared })))

/** How much: by one step less or more, or typed. What is typed counts when the field is left or Enter is pressed. */
function Quantity({ line, others, most = Number.POSITIVE_INFINITY, onRemove }: Props) {
  const { unit, quantity, stock } = line
  const all = plus(quantity, others)
  const key = lineKey(line)
  const title = preparedTitle(line.title, line.preparation)
  const [typed, setTyped] = useState<string | null>(null)
  const step = stepOf(line)
  const wanted = typed === null ? quantity : typedQuantity(typed, step)
  const off = isOffStep(line)
  const take = () => {
    if (typed === null || wanted === null) return
    setTyped(null)
    if (wanted === 0) onRemove()
    else cart.change((now) => setQuantity(now, key, wanted))
  }
  return (
    <>
      <div className="flex min-w-0 items-center rounded-md border border-edge">
        <Step
          icon="minus"
          label={`One less ${title}`}
          onPress={() => (stepBefore(line) > 0 ? cart.change((now) => decrease(now, key)) : onRemove())}
        />
        <input
          inputMode={step < 1 ? 'decimal' : 'numeric'}
          autoComplete="off"
          maxLength={6}
          aria-label={`Quantity of ${title}`}
          aria-invalid={wanted === null || off || all > most}
          value={typed ?? quantity}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setTyped(null)
            if (event.key !== 'Enter') return
            event.preventDefault() // else it presses Undo, which takes the focus when the line is removed
            take()
          }}
          className="h-11 w-14 shrink-0 bg-transparent text-center font-semibold"
        />
        <span className="min-w-0 text-slate wrap-anywhere">{unit}</span>
        <Step
          icon="plus"
          label={`One more ${title}`}
          disabled={all >= Math.min(stock, most)}
          onPress={() => cart.change((now) => increase(now, key))}
        />
      </div>
      <p role="status" className="text-sm empty:hidden">
        {wanted === null ? (
          <span className="text-bad">
            {step === 1
              ? 'Type a whole number, 0 to remove it.'
              : `Type kilograms in steps of ${step}, 0 to remove it.`}
          </span>
        ) : off ? (
          <span className="font-semibold text-bad">
            {unitsText(quantity, unit)} is not on sale any more: change it in steps of {unitsText(step, unit)}
            .
          </span>
        ) : (
          (all >= most && (
            <span className={all > most ? 'font-semibold text-bad' : 'text-slate'}>
              One order takes at most {unitsText(most, unit)}
              {others > 0 && ' of it in all'}.
            </span>
          )) ||
          (all >= stock && (
            <span className="text-slate">
              That is all we have{others > 0 && `: ${unitsText(all, unit)} in all`}.
            </span>
          ))
        )}
      </p>
    </>
  )
}

/** Price of the line before discount, and what the discount takes off. Source: spec §2, §9. */
function Sums({ line }: { line: CartLine }) {
  const { subtotal, savings } = lineTotals(line)
  return (
    <p className="ml-auto text-right font-semibold text-lg">
      {formatDollars(subtotal)}
      {savings > NO_MONEY && (
        <span className="block font-normal text-good text-sm">{formatDollars(savings)} off</span>
      )}
    </p>
  )
}

function Thumb({ line }: { line: CartLine }) {
  const [path] = line.imagePaths
  return (
    <div className="aspect-3/2 w-24 shrink-0 self-start overflow-hidden rounded-md bg-ice sm:w-40">
      {path && (
        <Picture
          image={{ path, width: 960, height: 640, alt: '' }}
          sizes="(min-width: 36rem) 10rem, 6rem"
          className="size-full object-cover"
        />
      )}
    </div>
  )
}

/** One product in the cart: picture, shelf, name, price, how fresh, how many, line total, remove. Source: spec §2. */
export function CartLineRow({ line, others, most, product, onRemove, onPrepare, freshness }: RowProps) {
  const { _id, title, priceCents, discount, unit, shelfPos, preparation } = line
  const off = discountLabel(discount)
  const chosen = preparation ?? 'whole'
  return (
    <li className="flex gap-4 border-line border-b py-5 sm:gap-6">
      <Thumb line={line} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 className="text-xl sm:text-2xl">
              <Link to={productPath(_id)} className="hover:text-teal hover:underline">
                {title}
              </Link>
            </h2>
            {!product && <Prepared chosen={chosen} />}
            <p className="mt-1 flex flex-wrap items-center gap-x-3 text-slate wrap-anywhere">
              <span>
                {formatDollars(priceCents)}/{unit}
              </span>
              {off && <Badge tone="teal">{off}</Badge>}
              <span>Shelf {shelfPos}</span>
            </p>
          </div>
          <Step icon="trash" label={`Remove ${preparedTitle(title, preparation)}`} onPress={onRemove} />
        </div>
        {product && (
          <Suspense fallback={<Prepared chosen={chosen} />}>
            <PreparationSelect
              {...{ title, unit, discount }}
              offers={product.preparations}
              chosen={chosen}
              onChoose={(chosen) => onPrepare(product, chosen)}
            />
          </Suspense>
        )}
        {freshness}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Quantity line={line} others={others} most={most} onRemove={onRemove} />
          <Sums line={line} />
        </div>
      </div>
    </li>
  )
}
