import { CODE_DIGITS } from '@befaqt/domain/limits'
import { useState } from 'react'
import { InputField } from '#web/components/field.tsx'

/** The code of the second factor: six digits, or a recovery code where the phone is lost. Takes the focus. */
export function CodeField({ error }: { error?: string | undefined }) {
  const [recovery, setRecovery] = useState(false)
  const digits = { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: CODE_DIGITS + 1 } as const
  const letters = { inputMode: 'text', autoComplete: 'off', maxLength: 20 } as const
  return (
    <div className="grid gap-1">
      <InputField
        key={String(recovery)}
        label={recovery ? 'Recovery code' : '2FA code'}
        name="twoFaToken"
        hint={
          recovery
            ? 'One of the ten codes that you saved. Each works once.'
            : `${CODE_DIGITS} digits from your authenticator app`
        }
        required
        autoFocus
        spellCheck={false}
        className="font-mono text-lg tracking-widest"
        error={error}
        {...(recovery ? letters : digits)}
      />
      <button
        type="button"
        onClick={() => setRecovery(!recovery)}
        className="link justify-self-start py-2.5 text-sm"
      >
        {recovery ? 'Use a code from the app' : 'Use a recovery code'}
      </button>
    </div>
  )
}
