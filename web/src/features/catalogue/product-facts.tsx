import type { ProductBox, ProductView } from '@befaqt/domain/catalogue'
import { type AsOf, freshnessAt, unknownSince } from '@befaqt/domain/freshness-word'
import { dayText } from '@befaqt/domain/moment-text'
import { centsFromDecimal, discountLabel, formatDollars, priceLabel } from '@befaqt/domain/money'
import { Badge } from '#web/components/badge.tsx'
import { Stars } from '#web/components/stars.tsx'

type Props = {
  product: Pick<ProductView, 'price' | 'discount' | 'unit'>
  large?: boolean
  className?: string
}

/** '$34.50/kg', with 'N%off' and the old price when there is a discount. Source: spec §9. */
export function Price({ product: { price, discount, unit }, large = false, className = '' }: Props) {
  const full = centsFromDecimal(price)
  const label = discountLabel(discount)
  return (
    <p className={`flex flex-wrap items-baseline gap-x-3 gap-y-1 wrap-anywhere ${className}`}>
      <span className={`font-semibold ${large ? 'text-3xl' : 'text-lg'}`}>
        {priceLabel(full, discount, unit)}
      </span>
      {label && (
        <>
          <s className="text-slate">
            <span className="sr-only">was </span>
            {formatDollars(full)}
          </s>
          <Badge tone="teal">{label}</Badge>
        </>
      )}
    </p>
  )
}

/**
 * Stars with their word, best-by date and cold chain of the box that a product comes from, as of now, and whose word that
 * is. Source: freshness.md §2, §3; witness.md, Receipts.
 * @param check has the stars above its words checked; without it they stay the shop's
 */
export function Freshness({
  box,
  now,
  check,
}: {
  box: ProductBox
  now: AsOf
  check?: (words: HTMLElement | null) => void
}) {
  const { boxID, stage, coldChain } = box
  const { word, stars, bestBy, unknown } = freshnessAt(box, now)
  const isOver = word === 'past its best'
  const notes = [
    bestBy && `best by ${dayText(bestBy)}`,
    stage === 'at sea' && 'still at sea',
    coldChain && coldChainNotes[coldChain],
  ]
  return (
    <div key={boxID + stars}>
      <p className="flex flex-wrap items-center gap-x-2">
        {stars !== null && !isOver && <Stars count={stars} />}
        <b className={`font-semibold ${isOver || unknown ? 'text-bad' : ''}`}>
          {capital(unknown ? unknownSince(unknown, now.today) : (word ?? 'not assessed yet'))}
        </b>
        <span className={coldChain === 'warmed' ? 'text-warn' : 'text-slate'}>
          {notes.filter(Boolean).join(', ')}
        </span>
      </p>
      <p ref={check ?? null} className="vouched" data-fresh={boxID}>
        Freshness as the shop states it
      </p>
    </div>
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const coldChainNotes = { cold: 'stayed cold', warmed: 'warmed on the way', silent: 'readings missing' }
