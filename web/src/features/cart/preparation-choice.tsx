import type { ProductView } from '@befaqt/domain/catalogue'
import type { Chosen } from '@befaqt/domain/change-cart'
import { type Cents, discounted, formatDollars } from '@befaqt/domain/money'
import { offered, preparations, yieldText } from '@befaqt/domain/preparation'
import { useHydrated } from '#web/components/hydration.tsx'

type Props = {
  product: ProductView
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
}

/** What is left of it, and what it adds to the price: what is paid, with the product's discount. */
function factsOf({ unit, discount, ...product }: ProductView, kind: Chosen): string {
  const preparation = offered(product, kind)
  if (preparation === undefined) return preparations.whole.text
  const fee = discounted(preparation.feeCents as Cents, discount)
  const price = fee === 0 ? 'no extra charge' : `+${formatDollars(fee)}/${unit}`
  return `${yieldText(unit, preparation.yieldPercent)}, ${price}`
}

/** How a product is prepared: one of what is offered, with what is left of it and what it costs. */
export default function PreparationChoice({ product, chosen, onChoose }: Props) {
  const hydrated = useHydrated()
  const kinds: Chosen[] = ['whole', ...product.preparations.map(({ kind }) => kind)]
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold">How would you like it?</legend>
      {kinds.map((kind) => (
        <label
          key={kind}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-edge px-4 py-2 has-checked:border-teal has-checked:bg-ice has-focus-visible:outline-2 has-focus-visible:outline-teal has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name="preparation"
            value={kind}
            checked={kind === chosen}
            disabled={!hydrated}
            onChange={() => onChoose(kind)}
            className="size-5 shrink-0 accent-teal"
          />
          <span className="min-w-0 wrap-anywhere">
            <b className="font-semibold">{preparations[kind].name}:</b> {factsOf(product, kind)}
          </span>
        </label>
      ))}
      {product.preparations.length > 0 && (
        <p className="muted">You pay by the weight of the whole fish: we weigh it, then prepare it.</p>
      )}
    </fieldset>
  )
}
