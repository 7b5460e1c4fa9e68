import { InputField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'

/** First and last name, as profile and sign-up ask for them. */
export function NameFields({ errors, ...given }: { errors: FieldErrors; fname?: string; lname?: string }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <InputField
        label="First name"
        name="fname"
        autoComplete="given-name"
        required
        defaultValue={given.fname}
        error={errors.fname}
      />
      <InputField
        label="Last name"
        name="lname"
        autoComplete="family-name"
        required
        defaultValue={given.lname}
        error={errors.lname}
      />
    </div>
  )
}

/** The address that an account is known by. */
export const EmailField = ({ errors }: { errors: FieldErrors }) => (
  <InputField label="Email" name="email" type="email" autoComplete="username" required error={errors.email} />
)

type PhoneProps = { errors: FieldErrors; phone?: string; optional?: boolean }

/** An Australian mobile number. */
export const PhoneField = ({ errors, phone, optional = false }: PhoneProps) => (
  <InputField
    label={optional ? 'Mobile phone (optional)' : 'Mobile phone'}
    name="phone"
    type="tel"
    autoComplete="tel-national"
    hint="For example 0412 345 678"
    required={!optional}
    defaultValue={phone}
    error={errors.phone}
  />
)
