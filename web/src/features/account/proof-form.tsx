import { BothFactors } from '@befaqt/domain/account'
import { Button } from '#web/components/button.tsx'
import { CodeField } from './code-field.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { PasswordField } from './password-field.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useForm } from './use-form.ts'

type Props = { label: string; send: (proof: BothFactors) => Promise<void>; onCancel: () => void }

/** Asks for password and code: what weakens the guard takes both. */
export function ProofForm({ label, send, onCancel }: Props) {
  const form = useForm(BothFactors, send)
  return (
    <form {...form.formProps} className="grid gap-5">
      <FailureAlert failure={form.failure} onDismiss={form.dismiss} />
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        required
        error={form.errors.password}
      />
      <CodeField error={form.errors.twoFaToken} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton ready={form.ready} busy={form.busy} look="teal" className="">
          {label}
        </SubmitButton>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
