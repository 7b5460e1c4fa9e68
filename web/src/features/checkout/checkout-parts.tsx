import { AUTHORIZATION_DAYS, CAPTURE_WARNING_H, type PaymentMethod } from '@befaqt/domain/payment'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { InputField } from '#web/components/field.tsx'
import { NameFields, PhoneField } from '#web/features/account/account-fields.tsx'
import { withNext } from '#web/features/account/safe-redirect.ts'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import type { Typed } from './checkout-draft.ts'

type Props = { errors: FieldErrors; typed: Typed; account: boolean }

/** Who orders: from the account, or typed by a guest. */
export function ContactPart({ errors, typed, account }: Props) {
  return (
    <fieldset className="grid gap-5">
      <legend className="mb-4 font-serif text-2xl">Who it is for</legend>
      {!account && (
        <p className="text-slate">
          You order as a guest.{' '}
          <Link to={withNext('/user/signin', '/checkout')} className="link">
            Log in
          </Link>{' '}
          to find the order in your account.
        </p>
      )}
      <NameFields errors={errors} fname={typed.fname ?? ''} lname={typed.lname ?? ''} />
      <div className="grid gap-5 sm:grid-cols-2">
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          hint="The confirmation goes there."
          defaultValue={typed.email}
          error={errors.email}
        />
        <PhoneField errors={errors} phone={typed.phone ?? ''} />
      </div>
    </fieldset>
  )
}

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

type PaymentPartProps = { chosen: PaymentMethod; takesCard: boolean; error: string | undefined }

/** How it is paid. A card is held until the order is packed, so it is not taken for times that are too far away. */
export function PaymentPart({ chosen, takesCard, error }: PaymentPartProps) {
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

type ChoiceCardProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & {
  label: ReactNode
  hint: ReactNode
  chosen: boolean
}

/** One of the ways to choose from, as a card with a radio button. */
export const ChoiceCard = ({ label, hint, chosen, disabled = false, ...input }: ChoiceCardProps) => (
  <label
    className={`flex min-h-14 items-center gap-3 rounded-md border px-4 py-2 ${
      chosen ? 'border-teal bg-teal-ice' : 'border-edge bg-surface'
    }`}
  >
    <input type="radio" disabled={disabled} className="size-5 shrink-0 accent-teal" {...input} />
    <span className={disabled ? 'text-slate' : undefined}>
      <span className="block font-semibold">{label}</span>
      <span className="block muted">{hint}</span>
    </span>
  </label>
)
