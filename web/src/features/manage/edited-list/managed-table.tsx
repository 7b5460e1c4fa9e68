import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import type { Progress } from '#web/api/upload.ts'
import { Badge } from '#web/components/badge.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Icon } from '#web/components/icon.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Confirm, UploadProgress } from '../form-parts.tsx'
import { type ListColumns, useColumns } from '../list/columns.tsx'
import { HistoryDialog } from '../list/history-dialog.tsx'
import {
  ACTIONS,
  bodyClass,
  type Column,
  EmptyList,
  HistoryAction,
  ListTable,
  RowAction,
  TableRow,
} from '../list/list-table.tsx'
import { FailureNotices } from './failure-notices.tsx'
import type { Resource, ManagedRow as Row } from './row-drafts.ts'
import type { TypedProps } from './typed.tsx'
import type { ManagedList } from './use-managed-list.ts'

/** What the edit form of a row is given. */
export type EditFormProps<R, Values> = {
  row: R
  start: Values
  /** Rejects with what the shop refused. */
  onSave: (values: Values, onProgress?: Progress) => Promise<void>
  onCancel: () => void
  onDirty: (dirty: boolean) => void
} & TypedProps

type Props<R extends Row, Values extends object> = {
  caption: string
  resource: Resource<R, Values>
  list: ManagedList<R, Values>
  columns: readonly Column<R>[] | ListColumns<R>
  form: (props: EditFormProps<R, Values>) => ReactNode
  /** Stands before a row's cells, to select it. */
  selection?: (row: R) => ReactNode
  /** Shown where there is no row. */
  empty: string
}

/** Whether another part of this list is being fetched. */
function useLoadingList(): boolean {
  const { pathname } = useLocation()
  return useNavigation().location?.pathname === pathname
}

/** The list itself: messages, headings, rows of alternating background, one of them in edit at a time. */
export function ManagedTable<R extends Row, Values extends object>(props: Props<R, Values>) {
  const { caption, resource, list, columns, form, selection, empty } = props
  const [historyOf, setHistoryOf] = useState<{ id: string; name: string } | null>(null)
  const [deleting, setDeleting] = useState<R | null>(null)
  const loading = useLoadingList()
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('edit')
  const { drafts } = list
  const { shown, chooser } = useColumns(columns)
  const remove = (row: R) => {
    removing(
      list.rows.map(({ _id }) => _id),
      row._id,
    )
    setDeleting(null)
    list.remove(row)
  }
  const formOf = (row: R): ReactNode => {
    const draft = drafts.byId.get(row._id)
    if (!draft) return null
    return (
      <div key={draft.attempt}>
        {form({
          row: draft.base,
          start: draft.start,
          onSave: (values) => list.save(draft, values),
          onCancel: () => list.cancel(row._id),
          onDirty: (dirty) => dirty && list.setDirty(row._id),
          typed: draft.typed,
          onTyped: (typed) => list.keepTyped(row._id, typed),
        })}
      </div>
    )
  }
  return (
    <div ref={place}>
      <FailureNotices resource={resource} list={list} />
      <div className="flex min-h-8 flex-wrap items-center gap-x-6">
        <p role="status" className="text-good">
          {list.status}
          {list.addedElsewhere && (
            <>
              {' '}
              <Link to={`?q=${encodeURIComponent(resource.nameOf(list.addedElsewhere))}`} className="link">
                Show it
              </Link>
            </>
          )}
        </p>
        {loading && <Spinner label="Loading" />}
        {list.progress !== null && list.progress < 1 && <UploadProgress progress={list.progress} />}
        <div className="ml-auto">{chooser}</div>
      </div>
      {list.rows.length === 0 ? (
        <EmptyList>{empty}</EmptyList>
      ) : (
        <ListTable
          caption={caption}
          headings={[...(selection ? [{ heading: 'Select' }] : []), ...shown, { heading: ACTIONS }]}
          busy={loading}
        >
          {list.rows.map((row) => (
            <ManagedRow
              key={row._id}
              id={row._id}
              name={resource.nameOf(row)}
              columns={shown}
              row={row}
              busy={list.busy.has(row._id)}
              deletable={row.status === 'DISABLED'}
              selection={selection?.(row)}
              form={formOf(row)}
              isOpen={drafts.open === row._id}
              isDirty={drafts.byId.get(row._id)?.dirty ?? false}
              onEdit={() => list.edit(row)}
              onCancel={() => list.cancel(row._id)}
              onDelete={() => setDeleting(row)}
              onHistory={() => setHistoryOf({ id: row._id, name: resource.nameOf(row) })}
            />
          ))}
        </ListTable>
      )}
      <DeleteDialog
        name={deleting ? resource.nameOf(deleting) : null}
        onDelete={() => deleting && remove(deleting)}
        onClose={() => setDeleting(null)}
      />
      <HistoryDialog
        entity={resource.entity}
        of={historyOf}
        valueText={resource.valueText}
        onClose={() => setHistoryOf(null)}
      />
    </div>
  )
}

type DeleteProps = { name: string | null; onDelete: () => void; onClose: () => void }

/** Asks before something is deleted: nobody can bring it back. */
const DeleteDialog = ({ name, onDelete, onClose }: DeleteProps) => (
  <Dialog open={name !== null} title={`Delete ${name ?? ''}?`} onClose={onClose}>
    <Confirm action="Delete for good" onConfirm={async () => onDelete()} onClose={onClose}>
      <p>This can’t be undone.</p>
    </Confirm>
  </Dialog>
)

type RowProps<Row> = {
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
function ManagedRow<Row>(props: RowProps<Row>) {
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

function Actions<Row>({ name, busy, deletable, isDirty, onEdit, onDelete, onHistory }: RowProps<Row>) {
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
        <span className="sm:sr-only">Delete</span>
      </RowAction>
      <HistoryAction name={name} disabled={!ready} onClick={onHistory} />
    </>
  )
}
