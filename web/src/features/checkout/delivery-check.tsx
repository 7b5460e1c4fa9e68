import type { Cents } from '@befaqt/domain/money'
import { useEffect, useState } from 'react'
import { InputField } from '#web/components/field.tsx'
import { storeTyped, typedDraft } from './checkout-draft.ts'
import { DeliveryNote, useDelivery } from './delivery.tsx'

/** `onFee`: what the delivery costs, which the sums above have. */
type Props = { goods: Cents; onFee: (fee: Cents) => void }

/** Whether it is delivered to a postcode, and what that costs, before the checkout, which begins with what is typed. */
export default function DeliveryCheck({ goods, onFee }: Props) {
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
