import type { Chosen } from '@befaqt/domain/change-cart'
import { type Cents, discounted, formatDollars } from '@befaqt/domain/money'
import { type Preparation, preparations } from '@befaqt/domain/preparation'
import { useId } from 'react'

type Props = {
  title: string
  unit: string
  discount: number
  /** What can be chosen beside whole. */
  offers: readonly Preparation[]
  chosen: Chosen
  /** What another line has, which this one can't be put into. */
  taken?: readonly Chosen[]
  onChoose: (chosen: Chosen) => void
}

/** How a product that is in a list is prepared: one of what is offered, with what it adds to the price that is paid. */
export default function PreparationSelect({
  title,
  unit,
  discount,
  offers,
  chosen,
  taken = [],
  onChoose,
}: Props) {
  const id = useId()
  const elsewhere = (kind: Chosen) => (taken.includes(kind) ? ' (another line)' : '')
  const isGone = chosen !== 'whole' && offers.every(({ kind }) => kind !== chosen)
  const feeText = ({ feeCents }: Preparation): string => {
    const fee = discounted(feeCents as Cents, discount)
    return fee === 0 ? 'no extra charge' : `+${formatDollars(fee)}/${unit}`
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <label htmlFor={id} className="text-slate">
        Prepared<span className="sr-only">: {title}</span>
      </label>
      <select
        id={id}
        value={chosen}
        onChange={({ currentTarget: { value } }) =>
          onChoose(offers.find(({ kind }) => kind === value)?.kind ?? 'whole')
        }
        className="min-h-11 min-w-0 max-w-full rounded-md border border-edge bg-surface px-3 py-2 text-ink"
      >
        <option value="whole" disabled={taken.includes('whole')}>
          {preparations.whole.name}
          {elsewhere('whole')}
        </option>
        {offers.map((offer) => (
          <option key={offer.kind} value={offer.kind} disabled={taken.includes(offer.kind)}>
            {preparations[offer.kind].name}, {feeText(offer)}
            {elsewhere(offer.kind)}
          </option>
        ))}
        {isGone && <option value={chosen}>{preparations[chosen].name}, not offered any more</option>}
      </select>
    </div>
  )
}
