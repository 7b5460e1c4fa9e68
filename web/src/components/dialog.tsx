import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

type Props = { open: boolean; title: string; onClose: () => void; children: ReactNode }

/**
 * The platform's modal dialog: focus stays inside, Escape closes, the page behind is inert. Where something was typed,
 * Escape asks first, since it is also pressed to leave a list of suggestions or an input method; a second one closes.
 */
export function Dialog({ open, title, onClose, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  /** The field that was changed last; a password is typed again. One that is gone was sent. */
  const typed = useRef<HTMLElement>(null)
  const [asking, setAsking] = useState(false)
  const titleId = useId()
  const keep = () => {
    setAsking(false)
    typed.current?.focus()
  }
  useEffect(() => {
    typed.current = null
    setAsking(false)
    if (open && !ref.current?.open) ref.current?.showModal()
    if (!open && ref.current?.open) ref.current.close()
  }, [open])
  return (
    <dialog
      ref={ref}
      onClose={onClose}
      onInput={({ target }) => {
        if (target instanceof HTMLElement && !target.matches('[type=password]')) typed.current = target
      }}
      onCancel={(event) => {
        const isLost = event.target === event.currentTarget && event.currentTarget.contains(typed.current)
        if (!isLost || asking) return
        event.preventDefault()
        setAsking(true)
      }}
      aria-labelledby={titleId}
      className="w-[min(36rem,calc(100vw-2rem))] rounded-lg bg-surface p-6 text-ink backdrop:bg-night-deep/70"
    >
      <div className="mb-4 flex items-start justify-between gap-4">
        <h2 id={titleId} className="text-2xl">
          {title}
        </h2>
        <button
          type="button"
          onClick={onClose}
          aria-label="Close"
          className="-mt-2 -me-2 grid size-11 shrink-0 place-items-center rounded-md hover:bg-ice"
        >
          <Icon name="close" />
        </button>
      </div>
      {open && children}
      {open && asking && (
        <div role="alert" className="sticky bottom-0 mt-4 grid gap-3 border-line border-t bg-surface pt-4">
          <p>What you typed would be lost. Escape again closes.</p>
          <div className="flex flex-wrap gap-3">
            <Button onClick={keep}>Keep editing</Button>
            <Button variant="outline" onClick={onClose}>
              Discard what I typed
            </Button>
          </div>
        </div>
      )}
    </dialog>
  )
}
