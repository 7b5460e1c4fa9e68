import { Field } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { NewPasswordField, PasswordField } from './password-field.tsx'

/** First and last name, as profile and sign-up ask for them. */
export function NameFields({ errors, ...given }: { errors: FieldErrors; fname?: string; lname?: string }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="First name"
        name="fname"
        autoComplete="given-name"
        required
        defaultValue={given.fname}
        error={errors.fname}
      />
      <Field
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

type PhoneProps = { errors: FieldErrors; phone?: string; optional?: boolean }

/** An Australian mobile number. */
export const PhoneField = ({ errors, phone, optional = false }: PhoneProps) => (
  <Field
    label={optional ? 'Mobile phone (optional)' : 'Mobile phone'}
    name="phone"
    type="tel"
    autoComplete="tel-national"
    hint="04 and 8 digits, spaces as you like"
    required={!optional}
    defaultValue={phone}
    error={errors.phone}
  />
)

/** Password and its repetition. */
export function NewPasswordFields({ errors, label = 'Password' }: { errors: FieldErrors; label?: string }) {
  return (
    <>
      <NewPasswordField label={label} name="password" required error={errors.password} />
      <PasswordField
        label="Confirm password"
        name="confirmPassword"
        autoComplete="new-password"
        required
        error={errors.confirmPassword}
      />
    </>
  )
}

/** Everything that is asked of somebody new. */
export function PersonFields({ errors }: { errors: FieldErrors }) {
  return (
    <>
      <NameFields errors={errors} />
      <Field label="Email" name="email" type="email" autoComplete="username" required error={errors.email} />
      <PhoneField errors={errors} optional />
      <NewPasswordFields errors={errors} />
    </>
  )
}
