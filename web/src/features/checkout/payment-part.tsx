import { AUTHORIZATION_DAYS, CAPTURE_WARNING_H, type PaymentMethod } from '@befaqt/domain/payment'
import { useId } from 'react'
import { ChoiceCard } from './choice-card.tsx'

type MethodProps = { method: PaymentMethod; label: string; hint: string; chosen: boolean; disabled?: boolean }

const Method = ({ method, chosen, ...rest }: MethodProps) => (
  <ChoiceCard
    name="payment"
    value={method}
    chosen={chosen}
    checked={chosen}
    onChange={() => undefined} // the form reads all its fields
    {...rest}
  />
)

const DAYS = AUTHORIZATION_DAYS - CAPTURE_WARNING_H / 24

type Props = { chosen: PaymentMethod; takesCard: boolean; error: string | undefined }

/** How it is paid. A card is held until the order is packed, so it is not taken for times that are too far away. */
export function PaymentPart({ chosen, takesCard, error }: Props) {
  const id = useId()
  return (
    <fieldset className="grid gap-3" aria-describedby={error ? id : undefined}>
      <legend className="mb-4 font-serif text-2xl">How you pay</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <Method method="later" label="When you get it" hint="Nothing now" chosen={chosen === 'later'} />
        <Method
          method="card"
          label="By card now"
          hint={takesCard ? 'On Stripe’s page' : `For times within the next ${DAYS} days, from $0.50`}
          chosen={chosen === 'card'}
          disabled={!takesCard}
        />
      </div>
      {error && (
        <p id={id} className="font-semibold text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}
