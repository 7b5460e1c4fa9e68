import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#web/components/button.tsx'
import { Icon } from '#web/components/icon.tsx'
import { useHydrated } from '#web/features/account/use-hydrated.ts'

type Props = {
  name: string
  grid: string
  busy: boolean
  deletable: boolean
  /** Stands before the cells: the tick that chooses the row. */
  tick?: ReactNode
  cells: ReactNode
  /** The form, while this row is the one in edit. */
  form: ReactNode
  onEdit: () => void
  onCancel: () => void
  onDelete: () => void
  onHistory: () => void
}

/** Moves the focus into the form when it opens, and back to the row's Edit button when it closes. */
function useFocusAcross(isOpen: boolean) {
  const ref = useRef<HTMLLIElement>(null)
  const was = useRef(isOpen)
  useEffect(() => {
    if (was.current === isOpen) return
    was.current = isOpen
    const wanted = isOpen ? 'form input, form select' : '[data-action="edit"]'
    ref.current?.querySelector<HTMLElement>(wanted)?.focus()
  }, [isOpen])
  return ref
}

/** One thing of a list: its read view with what can be done, or its edit form. Source: spec §2. */
export function ListRow({ name, grid, busy, deletable, tick, cells, form, ...on }: Props) {
  const isOpen = form !== null
  const hydrated = useHydrated()
  const ready = hydrated && !busy
  const onKeyDown = (event: KeyboardEvent<HTMLLIElement>) => {
    if (!isOpen || event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    on.onCancel()
  }
  return (
    <li
      ref={useFocusAcross(isOpen)}
      onKeyDown={onKeyDown}
      aria-busy={busy}
      className="border-line border-b px-3 py-3 odd:bg-surface even:bg-ice lg:py-2"
    >
      {isOpen ? (
        form
      ) : (
        <div
          className={`relative flex flex-wrap items-center gap-x-5 gap-y-2 lg:grid lg:gap-x-4 ${grid} ${busy ? 'opacity-70' : ''}`}
        >
          {tick}
          {cells}
          <div className="flex flex-wrap gap-1 max-lg:w-full lg:justify-end">
            <Button
              look="quiet"
              className="px-3"
              data-action="edit"
              disabled={!hydrated}
              aria-disabled={busy}
              onClick={() => !busy && on.onEdit()}
              aria-label={`Edit ${name}`}
            >
              {busy ? 'Saving…' : 'Edit'}
            </Button>
            <Button
              look="quiet"
              className="px-3"
              data-action="delete"
              disabled={!ready || !deletable}
              onClick={on.onDelete}
              title={deletable ? undefined : 'Only what is DISABLED can be deleted'}
              aria-label={`Delete ${name}`}
            >
              <Icon name="trash" className="size-5" />
              <span className="lg:sr-only">Delete</span>
            </Button>
            <Button
              look="plain"
              className="px-3"
              data-action="history"
              disabled={!ready}
              onClick={on.onHistory}
              aria-label={`History of ${name}`}
            >
              History
            </Button>
          </div>
        </div>
      )}
    </li>
  )
}
