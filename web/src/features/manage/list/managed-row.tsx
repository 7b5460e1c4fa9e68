import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Badge } from '#web/components/badge.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { bodyClass, type Column, TableRow } from './list-table.tsx'
import { HistoryAction, RowAction } from './row-action.tsx'

type Props<Row> = {
  id: string
  name: string
  columns: readonly Column<Row>[]
  row: Row
  busy: boolean
  deletable: boolean
  /** Shown before the cells: the checkbox that selects the row. */
  selection?: ReactNode
  /** The form, as long as there is a draft of the row. */
  form: ReactNode
  /** Whether the form is in sight; else the row is. */
  isOpen: boolean
  /** The draft holds what is not saved. */
  isDirty: boolean
  onEdit: () => void
  onCancel: () => void
  onDelete: () => void
  onHistory: () => void
}

/** Moves the focus into the form when it opens, to what is wrong there, and back to Edit when it closes. */
function useFocusAcross(isOpen: boolean) {
  const ref = useRef<HTMLTableSectionElement>(null)
  const was = useRef(isOpen)
  useEffect(() => {
    if (was.current === isOpen || !ref.current) return
    was.current = isOpen
    const find = (wanted: string) => ref.current?.querySelector<HTMLElement>(wanted)
    const { activeElement } = document
    if (isOpen) (find('form [aria-invalid="true"]') ?? find('form :is(input, select)'))?.focus()
    else if (activeElement === document.body || ref.current.contains(activeElement))
      find('[data-action="edit"]')?.focus()
  }, [isOpen])
  return ref
}

/** One thing of a list: its read view with what can be done, or its edit form. Source: spec §2. */
export function ManagedRow<Row>(props: Props<Row>) {
  const { id, columns, row, busy, selection, form, isOpen } = props
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    props.onCancel()
  }
  const cells = columns.length + (selection ? 2 : 1)
  return (
    <tbody ref={useFocusAcross(isOpen)} data-row={id} onKeyDown={onKeyDown} className={bodyClass}>
      <TableRow
        columns={columns}
        row={row}
        hidden={isOpen}
        className={busy ? 'opacity-70' : ''}
        before={selection}
        actions={<Actions {...props} />}
      />
      {form && (
        <tr hidden={!isOpen} className="max-lg:block">
          <td colSpan={cells} className="px-3 py-2 max-lg:block">
            {form}
          </td>
        </tr>
      )}
    </tbody>
  )
}

function Actions<Row>({ name, busy, deletable, isDirty, onEdit, onDelete, onHistory }: Props<Row>) {
  const hydrated = useHydrated()
  const ready = hydrated && !busy
  return (
    <>
      {isDirty && !busy && (
        <span className="self-center">
          <Badge tone="warn">not saved</Badge>
        </span>
      )}
      <RowAction
        action="edit"
        label={`Edit ${name}`}
        disabled={!hydrated}
        aria-disabled={busy}
        onClick={() => !busy && onEdit()}
      >
        {busy ? 'Saving…' : 'Edit'}
      </RowAction>
      <RowAction
        action="delete"
        label={`Delete ${name}`}
        disabled={!ready || !deletable}
        onClick={onDelete}
        title={deletable ? undefined : 'Set to DISABLED before deleting.'}
      >
        <Icon name="trash" className="size-5" />
        <span className="lg:sr-only">Delete</span>
      </RowAction>
      <HistoryAction name={name} disabled={!ready} onClick={onHistory} />
    </>
  )
}
