import type { SentForm } from '@befaqt/domain/api/sent-form'
import { CODE_DIGITS } from '@befaqt/domain/limits'
import { passwordStrength } from '@befaqt/domain/password-strength'
import { useState } from 'react'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import {
  EmailField,
  NameFields,
  PasswordField,
  type PasswordFieldProps,
  PhoneField,
} from './account-fields.tsx'

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
  const { score, label } = passwordStrength(password)
  const reached = password === '' ? -1 : score
  return (
    <div className="flex min-h-6 items-center gap-3">
      <div className="grid h-1.5 flex-1 grid-cols-4 gap-1" aria-hidden="true">
        {bars.map((colour, step) => (
          <span key={colour} className={`rounded-sm ${step <= reached ? bars[score] : 'bg-line'}`} />
        ))}
      </div>
      <p className="w-28 text-right muted" aria-live="polite">
        {password === '' ? 'Strength' : label}
      </p>
    </div>
  )
}

type PersonProps = { errors: FieldErrors; typed?: SentForm['typed'] }

/** Everything that is asked of somebody new. @param typed before the page's script ran */
export function PersonFields({ errors, typed = {} }: PersonProps) {
  return (
    <>
      <NameFields errors={errors} fname={typed.fname} lname={typed.lname} />
      <EmailField errors={errors} email={typed.email} />
      <PhoneField errors={errors} phone={typed.phone} optional />
      <NewPasswordFields errors={errors} />
    </>
  )
}

/**
 * The code of the second factor: six digits, or a recovery code where the phone is lost. Takes the focus. Before the page's
 * script runs the field takes either.
 */
export function CodeField({ error }: { error?: string | undefined }) {
  const [recovery, setRecovery] = useState(false)
  const hydrated = useHydrated()
  const digits = { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: CODE_DIGITS + 1 } as const
  const letters = { inputMode: 'text', autoComplete: 'off', maxLength: 20 } as const
  const hint = `${CODE_DIGITS} digits from your authenticator app`
  return (
    <div className="grid gap-1">
      <InputField
        key={String(recovery)}
        label={recovery ? 'Recovery code' : '2FA code'}
        name="twoFaToken"
        hint={
          recovery
            ? 'One of the ten codes that you saved. Each works once.'
            : hydrated
              ? hint
              : `${hint}, or one of your recovery codes`
        }
        required
        autoFocus
        spellCheck={false}
        className="font-mono text-lg tracking-widest"
        error={error}
        {...(recovery || !hydrated ? letters : digits)}
      />
      {hydrated && (
        <button
          type="button"
          onClick={() => setRecovery(!recovery)}
          className="link justify-self-start py-2.5 text-sm"
        >
          {recovery ? 'Use a code from the app' : 'Use a recovery code'}
        </button>
      )}
    </div>
  )
}
