import type { ProductView } from '@befaqt/domain/catalogue'
import type { Chosen } from '@befaqt/domain/change-cart'
import { ShopError } from '@befaqt/domain/errors'
import { unitsText } from '@befaqt/domain/labelling'
import { discountLabel, formatDollars } from '@befaqt/domain/money'
import { type Preparation, preparations, preparedTitle } from '@befaqt/domain/preparation'
import { downTo, plus, stepOf, typedQuantity } from '@befaqt/domain/quantity'
import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import PreparationSelect from '#web/features/cart/preparation-select.tsx'
import { Step } from '#web/features/cart/step.tsx'
import { type DraftLine, priceOf } from './amend-draft.ts'

type Props = {
  line: DraftLine
  wanted: number
  chosen: Chosen
  /** What other lines of its product are prepared as. */
  taken: readonly Chosen[]
  /** It, as it is on sale today; undefined: it is not, or not known yet. */
  product: ProductView | undefined
  /** The only one that is left: an order of nothing is a cancellation. */
  isLast: boolean
  /** Why so much can't be had, and how much can; null: nothing is wrong. */
  refused: { message: string; left: number } | null
  onChange: (quantity: number) => void
  onChoose: (chosen: Chosen) => void
}

/** What a line may be prepared as: what was agreed on at its fee, and else what is offered today. */
function offersOf({ preparation: agreed }: Props['line'], product: ProductView | undefined): Preparation[] {
  const others = (product?.preparations ?? []).filter(({ kind }) => kind !== agreed?.kind)
  return agreed ? [agreed, ...others] : others
}

/** How much of a line: by a step less or more, typed, or none; and how it is prepared. */
export function AmendLine({ line, wanted, chosen, taken, product, isLast, refused, ...on }: Props) {
  const { onChange, onChoose } = on
  const { unit, discount, quantity: had } = line
  const title = preparedTitle(line.title, chosen)
  const step = stepOf({ unit, step: product?.step })
  const offers = offersOf(line, product)
  const { priceCents } = priceOf(line, chosen, product)
  const [typed, setTyped] = useState<string | null>(null)
  const off = discountLabel(discount)
  const read = typed === null ? wanted : typedQuantity(typed, step)
  const isRead = (read === had && had > 0) || (read !== null && (read > 0 || !isLast))
  const take = () => {
    if (typed === null || !isRead || read === null) return
    setTyped(null)
    onChange(read)
  }
  const change = (quantity: number) => {
    setTyped(null)
    onChange(quantity)
  }
  const less = downTo(step, plus(wanted, -0.001))
  return (
    <li className="grid gap-2 border-line border-b py-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center sm:gap-x-6">
      <div className="min-w-0 wrap-anywhere">
        <h3 className="text-lg">{wanted > 0 && offers.length > 0 ? line.title : title}</h3>
        {offers.length > 0 && wanted > 0 && (
          <PreparationSelect {...{ title: line.title, unit, discount, offers, chosen, taken, onChoose }} />
        )}
        <p className="muted">
          {formatDollars(priceCents)}/{unit}
          {off && `, ${off}`}; {had === 0 ? 'new in your order' : `${unitsText(had, unit)} ordered`}
          {offers.length > 0 &&
            had > 0 &&
            `, ${preparations[line.preparation?.kind ?? 'whole'].name.toLowerCase()}`}
        </p>
      </div>
      {wanted === 0 ? (
        <div className="flex items-center gap-4">
          <b className="font-semibold text-warn">Taken out</b>
          <Button variant="outline" onClick={() => change(had)}>
            Put back<span className="sr-only"> {title}</span>
          </Button>
        </div>
      ) : (
        <div className="flex items-center gap-1">
          <div className="flex min-w-0 items-center rounded-md border border-edge">
            <Step
              icon="minus"
              label={`One less ${title}`}
              disabled={less <= 0}
              onPress={() => change(less)}
            />
            <input
              inputMode={step < 1 ? 'decimal' : 'numeric'}
              autoComplete="off"
              maxLength={6}
              aria-label={`Quantity of ${title}`}
              aria-invalid={!isRead || refused !== null}
              value={typed ?? wanted}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onBlur={take}
              onKeyDown={(event) => {
                if (event.key === 'Escape') setTyped(null)
                if (event.key !== 'Enter') return
                event.preventDefault() // else it saves what is still being typed
                take()
              }}
              className="h-11 w-14 shrink-0 bg-transparent text-center font-semibold"
            />
            <span className="min-w-0 text-slate wrap-anywhere">{unit}</span>
            <Step
              icon="plus"
              label={`One more ${title}`}
              onPress={() => change(plus(downTo(step, wanted), step))}
            />
          </div>
          <Step icon="trash" label={`Take ${title} out`} disabled={isLast} onPress={() => change(0)} />
        </div>
      )}
      <div role="status" className="text-sm empty:hidden sm:col-span-2">
        {!isRead && (
          <p className="font-semibold text-bad">
            {step === 1 ? 'Type a whole number.' : `Type an amount in steps of ${step}.`}
          </p>
        )}
        {refused && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="font-semibold text-bad">{refused.message}</p>
            {refused.left > 0 && (
              <Button variant="outline" onClick={() => change(refused.left)}>
                Take {unitsText(refused.left, unit)}
                <span className="sr-only"> of {title}</span>
              </Button>
            )}
          </div>
        )}
      </div>
    </li>
  )
}

type Short = {
  product_id: string
  preparation?: string
  wanted: number
  left: number
  together?: number
  why?: string
}

/** Lines of which not as much is left, as they were asked for. */
export const shortOf = (failure: unknown): Short[] =>
  failure instanceof ShopError && failure.code === 'stock.insufficient'
    ? (failure.details.lines as Short[])
    : []

/** An order has a product once for what is done to it. */
export const double = {
  message:
    'Another line of your order is prepared like this by now. Choose another way, or take one of the two out.',
  left: 0,
}

/** What is said of a line, as it was asked for. */
export function refusedOf(short: readonly Short[], asked: Short, unit: string) {
  const line = short.find(
    (one) => one.product_id === asked.product_id && (one.preparation ?? 'whole') === asked.preparation,
  )
  if (line === undefined || line.wanted !== asked.wanted) return null
  const { left, together, why } = line
  const some = unitsText(left, unit)
  if (why === 'line' && together !== undefined)
    return { message: `One order takes at most ${unitsText(together, unit)} of it in all.`, left }
  if (together !== undefined && together > left)
    return { message: `No more than ${some} is left beside what else you have of it.`, left }
  if (left === 0) return { message: 'It is sold out, or not on sale just now.', left }
  if (why === 'step') return { message: `${unitsText(asked.wanted, unit)} is not on sale.`, left }
  if (why === 'line') return { message: `One order takes at most ${some}.`, left }
  if (why === 'network')
    return { message: `Only ${some} can be yours just now: the rest is kept for others.`, left }
  return { message: `No more than ${some} is left for you.`, left }
}
