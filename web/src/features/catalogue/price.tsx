import type { ProductView } from '@befaqt/domain/catalogue'
import { centsFromDecimal, discountLabel, formatDollars, priceLabel } from '@befaqt/domain/money'
import { Badge } from '#web/components/badge.tsx'

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
