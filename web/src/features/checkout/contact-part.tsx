import { Link } from 'react-router'
import { InputField } from '#web/components/field.tsx'
import { NameFields, PhoneField } from '#web/features/account/name-fields.tsx'
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
