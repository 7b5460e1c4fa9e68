import { PasswordAgain } from '@befaqt/domain/account'
import { Button } from '#web/components/button.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { PasswordField } from './password-field.tsx'
import { SubmitButton } from './submit-button.tsx'
import { useForm } from './use-form.ts'

type Props = { label: string; send: (password: string) => Promise<void>; onCancel: () => void }

/** Asks for the password before something that a borrowed browser must not do. */
export function PasswordAgainForm({ label, send, onCancel }: Props) {
  const form = useForm(PasswordAgain, ({ password }) => send(password))
  return (
    <form {...form.formProps} className="grid gap-5">
      <FailureAlert failure={form.failure} onDismiss={form.dismiss} />
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        required
        autoFocus
        error={form.errors.password}
      />
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
