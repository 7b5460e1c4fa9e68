import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icon.tsx'

type Props = { open: boolean; title: string; onClose: () => void; children: ReactNode }

/** The platform's modal dialog: focus stays inside, Escape closes, the page behind is inert. */
export function Dialog({ open, title, onClose, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (open && !ref.current?.open) ref.current?.showModal()
    if (!open && ref.current?.open) ref.current.close()
  }, [open])
  return (
    <dialog
      ref={ref}
      onClose={onClose}
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
          className="-mt-2 -mr-2 grid size-11 shrink-0 place-items-center rounded-md hover:bg-ice"
        >
          <Icon name="close" />
        </button>
      </div>
      {open && children}
    </dialog>
  )
}
