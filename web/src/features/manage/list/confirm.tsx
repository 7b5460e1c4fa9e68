import type { ReactNode } from 'react'
import { useCall } from '#web/api/use-call.ts'
import { FailureBanner, FormActions } from '../form-parts.tsx'

type Props = {
  /** What the button says. */
  action: string
  /** What the button says that leaves it. */
  cancel?: string
  /** Does it; what it rejects with is shown, and it can be tried again. Gets what was entered in `children`. */
  onConfirm: (entered: FormData) => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** A question before something is done, for a dialog. */
export function Confirm({ action, cancel, onConfirm, onClose, children }: Props) {
  const { busy, failure, run } = useCall()
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const entered = new FormData(event.currentTarget)
        void run(() => onConfirm(entered))
      }}
    >
      {failure !== null && <FailureBanner error={failure} />}
      {children}
      <FormActions ready busy={busy} save={action} onCancel={onClose} cancel={cancel} />
    </form>
  )
}
