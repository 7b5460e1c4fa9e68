import { type ReactNode, useState } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import type { Progress } from '#web/api/upload.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { UploadProgress } from '../form-parts.tsx'
import { Confirm } from './confirm.tsx'
import { FailureNotices } from './failure-notices.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import { ACTIONS, type Column, EmptyList, ListTable } from './list-table.tsx'
import { ManagedRow } from './managed-row.tsx'
import type { Resource, ManagedRow as Row } from './resource.ts'
import type { ManagedList } from './use-managed-list.ts'
import type { TypedProps } from './use-typed.ts'

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
  columns: readonly Column<R>[]
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
      </div>
      {list.rows.length === 0 ? (
        <EmptyList>{empty}</EmptyList>
      ) : (
        <ListTable
          caption={caption}
          headings={[...(selection ? [{ heading: 'Select' }] : []), ...columns, { heading: ACTIONS }]}
          busy={loading}
        >
          {list.rows.map((row) => (
            <ManagedRow
              key={row._id}
              id={row._id}
              name={resource.nameOf(row)}
              columns={columns}
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
