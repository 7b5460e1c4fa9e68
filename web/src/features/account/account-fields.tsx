import { type ComponentProps, useState } from 'react'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'

/** First and last name, as profile and sign-up ask for them. */
export function NameFields({
  errors,
  ...given
}: {
  errors: FieldErrors
  fname?: string | undefined
  lname?: string | undefined
}) {
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
export const EmailField = ({ errors, email }: { errors: FieldErrors; email?: string | undefined }) => (
  <InputField
    label="Email"
    name="email"
    type="email"
    autoComplete="username"
    required
    defaultValue={email}
    error={errors.email}
  />
)

type PhoneProps = { errors: FieldErrors; phone?: string | undefined; optional?: boolean }

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

export type PasswordFieldProps = Omit<ComponentProps<typeof InputField>, 'type'>

/** A password that can be shown and hidden. */
export function PasswordField({ label, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <InputField
        label={label}
        type={shown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        {...rest}
      />
      <button
        type="button"
        disabled={!useHydrated()}
        onClick={() => setShown(!shown)}
        className="-top-2.5 absolute right-0 min-h-11 rounded-md pr-1 pl-3 font-semibold text-sm text-teal hover:text-teal-deep"
      >
        {shown ? 'Hide' : 'Show'}
        <span className="sr-only"> {label}</span>
      </button>
    </div>
  )
}

/** The password that the account has now. */
export const OwnPasswordField = (props: Partial<PasswordFieldProps>) => (
  <PasswordField label="Your password" name="password" autoComplete="current-password" required {...props} />
)
