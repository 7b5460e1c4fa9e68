import type { Cart } from '@befaqt/domain/cart'
import type { Cents } from '@befaqt/domain/money'
import { cartTotals } from '@befaqt/domain/order-totals'
import { useEffect, useState } from 'react'
import { InputField } from '#web/components/field.tsx'
import { useViewer } from '#web/root-data.ts'
import { storeTyped, typedDraft } from './checkout-draft.ts'
import { CouponDetails } from './coupon-details.tsx'
import type { AppliedCode } from './coupon-part.tsx'
import { DeliveryNote, useDelivery } from './delivery.tsx'

/** `onFee`, `onCode`: what the sums above have of it. */
type Props = {
  lines: Cart
  code: AppliedCode | null
  onCode: (code: AppliedCode | null) => void
  onFee: (fee: Cents) => void
}

/** What nobody has to ask in the cart: a coupon, and what a delivery costs. The checkout begins with both. */
export default function CartExtras({ lines, code, onCode, onFee }: Props) {
  return (
    <>
      <Coupon lines={lines} code={code} onCode={onCode} />
      <DeliveryCheck goods={cartTotals(lines).total} onFee={onFee} />
    </>
  )
}

/** A code as it is typed goes along to the checkout, where it is asked for again: it may have ended by then. */
function Coupon({ lines, code, onCode }: Omit<Props, 'onFee'>) {
  const [typed] = useState(() => typedDraft().coupon)
  const account = useViewer() !== null
  const keep = (coupon: string) => storeTyped({ ...typedDraft(), coupon })
  return (
    <div
      onChange={({ target }) => {
        if (target instanceof HTMLInputElement) keep(target.value)
      }}
    >
      <CouponDetails
        lines={lines}
        account={account}
        typed={typed}
        applied={code}
        disabled={false}
        refused={undefined}
        onApplied={(next) => {
          onCode(next)
          keep(next?.checked.code ?? '')
        }}
      />
    </div>
  )
}

/** Whether it is delivered to a postcode, and what that costs, before the checkout, which begins with what is typed. */
function DeliveryCheck({ goods, onFee }: Pick<Props, 'onFee'> & { goods: Cents }) {
  const [postcode, setPostcode] = useState(() => typedDraft().postcode ?? '')
  const delivery = useDelivery(postcode, goods)
  const { fee } = delivery
  useEffect(() => onFee(fee), [onFee, fee])
  return (
    <div className="mt-4 grid gap-2 border-line border-t pt-4">
      <InputField
        label="Your postcode for delivery (optional)"
        autoComplete="postal-code"
        inputMode="numeric"
        maxLength={4}
        value={postcode}
        error={delivery.wrong}
        onChange={({ currentTarget }) => {
          setPostcode(currentTarget.value)
          storeTyped({ ...typedDraft(), postcode: currentTarget.value })
        }}
      />
      <DeliveryNote to={delivery} hasTime />
    </div>
  )
}
