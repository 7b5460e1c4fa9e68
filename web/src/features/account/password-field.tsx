import { type ComponentProps, useState } from 'react'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'

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
