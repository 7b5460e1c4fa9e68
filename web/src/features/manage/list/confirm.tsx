import { type ReactNode, useState } from 'react'
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
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const confirm = async (form: HTMLFormElement) => {
    setBusy(true)
    setFailure(null)
    try {
      await onConfirm(new FormData(form))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void confirm(event.currentTarget)
      }}
    >
      {failure !== null && <FailureBanner error={failure} />}
      {children}
      <FormActions ready={!busy} busy={busy} save={action} onCancel={onClose} cancel={cancel} />
    </form>
  )
}
