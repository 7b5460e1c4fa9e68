import type { ReactNode } from 'react'
import { Button } from '#web/components/button.tsx'
import type { Form } from '#web/forms/use-form.ts'
import { FailureAlert } from './failure-alert.tsx'
import { SubmitButton } from './submit-button.tsx'

type Props = {
  form: Pick<Form, 'failure' | 'dismiss' | 'formProps'>
  /** Stands in the alert that says why the form was refused. */
  help?: ReactNode
  children: ReactNode
}

/** A form with its fields below each other, and above them why it was refused. */
export function AccountForm({ form, help, children }: Props) {
  return (
    <form {...form.formProps} className="grid gap-5">
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
    <SubmitButton ready={form.ready} busy={form.busy} look="teal" className="">
      {send}
    </SubmitButton>
    <Button look="quiet" onClick={onCancel}>
      Cancel
    </Button>
  </div>
)
