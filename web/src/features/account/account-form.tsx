import { ShopError } from '@befaqt/domain/errors'
import type { FormEvent, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { answeredStatus } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button, type ButtonVariant } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import type { Form } from '#web/forms/use-form.ts'

type Props = {
  form: Pick<Form, 'failure' | 'dismiss' | 'formProps'>
  /** Shown in the alert that says why the form was rejected. */
  help?: ReactNode
  /** Something was typed or chosen. */
  onChange?: () => void
  children: ReactNode
}

/** A form with its fields below each other, and above them why it was refused. */
export function AccountForm({ form, help, onChange, children }: Props) {
  return (
    <form {...form.formProps} onChange={onChange} className="grid gap-5">
      <FailureAlert failure={form.failure} onDismiss={form.dismiss}>
        {help}
      </FailureAlert>
      {children}
    </form>
  )
}

type EndProps = { form: Pick<Form, 'ready' | 'busy'>; send: string; onCancel: () => void }

/** The end of a form that a button of the page opened: send it, or leave it. */
export const SendOrCancel = ({ form, send, onCancel }: EndProps) => (
  <div className="flex flex-wrap gap-3">
    <SubmitButton ready={form.ready} busy={form.busy} variant="secondary" className="">
      {send}
    </SubmitButton>
    <Button variant="outline" onClick={onCancel}>
      Cancel
    </Button>
  </div>
)

type LinkButtonProps = { to: string; children: ReactNode; variant?: ButtonVariant; className?: string }

/** A button that leads on, where the specification asks for a button (§2): a form, so that it does without script, too. */
export function LinkButton({ to, children, ...rest }: LinkButtonProps) {
  const navigate = useNavigate()
  const [path, query] = to.split('?')
  const go = (event: FormEvent) => {
    event.preventDefault()
    void navigate(to)
  }
  return (
    <form action={path} onSubmit={go} className="contents">
      {[...new URLSearchParams(query)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" {...rest}>
        {children}
      </Button>
    </form>
  )
}

type SubmitButtonProps = {
  ready: boolean
  busy: boolean
  children: ReactNode
  variant?: ButtonVariant
  className?: string
}

/** Sends its form. Disabled until the page's script runs, so that nothing typed goes anywhere else. */
export const SubmitButton = ({
  ready,
  busy,
  children,
  variant = 'primary',
  className = 'w-full',
}: SubmitButtonProps) => (
  <Button type="submit" variant={variant} className={className} disabled={!ready} aria-busy={busy}>
    {busy ? 'One moment…' : children}
  </Button>
)

/**
 * 'Error: {status}: {server text}.' of spec §8; the text's own full stop is not said twice. Where the shop did not
 * answer there is no status.
 */
export function failureText(error: unknown): string {
  const status = error instanceof ShopError ? answeredStatus(error) : null
  if (!(error instanceof ShopError) || status === null) return `Error: ${userMessage(error)}`
  return `Error: ${status}: ${error.message.replace(/\.$/, '')}.`
}

type FailureTextProps = { failure: unknown; onDismiss: () => void; children?: ReactNode }

/** A failed call in a red box that can be dismissed; `children` is what can be done about it. */
export function FailureAlert({ failure, onDismiss, children }: FailureTextProps) {
  const hydrated = useHydrated()
  if (failure === null) return null
  return (
    <Alert tone="bad" {...(hydrated && { onDismiss })}>
      {failureText(failure)}
      {children}
    </Alert>
  )
}
