import { passwordStrength } from '@befaqt/domain/password-strength'
import { type ComponentProps, useState } from 'react'
import { Field } from '#web/components/field.tsx'
import { useHydrated } from './use-hydrated.ts'

type Props = Omit<ComponentProps<typeof Field>, 'type'>

/** A password that can be shown and hidden. */
export function PasswordField({ label, ...rest }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <Field
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
export const OwnPasswordField = (props: Partial<Props>) => (
  <PasswordField label="Your password" name="password" autoComplete="current-password" required {...props} />
)

const bars = ['bg-bad', 'bg-warn', 'bg-teal', 'bg-good'] as const

/** A new password with advice on its strength; six characters is the rule, the rest is advice. */
export function NewPasswordField(props: Props) {
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
