import { passwordStrength } from '@befaqt/domain/password-strength'
import { useState } from 'react'
import { InputField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { PasswordField, type PasswordFieldProps } from './password-field.tsx'

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

const bars = ['bg-bad', 'bg-warn', 'bg-teal', 'bg-good'] as const

/** A new password with advice on its strength; six characters is the rule, the rest is advice. */
function NewPasswordField(props: PasswordFieldProps) {
  const [typed, setTyped] = useState('')
  return (
    <div className="grid gap-2">
      <PasswordField
        autoComplete="new-password"
        onChange={(event) => setTyped(event.target.value)}
        {...props}
      />
      <StrengthMeter password={typed} />
    </div>
  )
}

function StrengthMeter({ password }: { password: string }) {
  const { score, words } = passwordStrength(password)
  const reached = password === '' ? -1 : score
  return (
    <div className="flex min-h-6 items-center gap-3">
      <div className="grid h-1.5 flex-1 grid-cols-4 gap-1" aria-hidden="true">
        {bars.map((colour, step) => (
          <span key={colour} className={`rounded-sm ${step <= reached ? bars[score] : 'bg-line'}`} />
        ))}
      </div>
      <p className="w-28 text-right text-slate text-sm" aria-live="polite">
        {password === '' ? 'Strength' : words}
      </p>
    </div>
  )
}

/** Everything that is asked of somebody new. */
export function PersonFields({ errors }: { errors: FieldErrors }) {
  return (
    <>
      <NameFields errors={errors} />
      <InputField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        error={errors.email}
      />
      <PhoneField errors={errors} optional />
      <NewPasswordFields errors={errors} />
    </>
  )
}
