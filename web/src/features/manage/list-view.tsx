import { type ReactNode, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { ColumnHeads } from './column-heads.tsx'
import { differences } from './differences.ts'
import { ErrorBanner } from './error-banner.tsx'
import { HistoryDialog } from './history-dialog.tsx'
import type { ListKind } from './list-kind.ts'
import { ListRow } from './list-row.tsx'
import { moveBetweenRows } from './row-keys.ts'
import { StaleNotice } from './stale-notice.tsx'
import type { ManagedList } from './use-managed-list.ts'

type Row = { _id: string; version: number; status: string }
type Props<R extends Row, Draft> = {
  label: string
  kind: ListKind<R, Draft>
  list: ManagedList<R, Draft>
  tick?: (row: R) => ReactNode
  empty: string
}

/** What could not be saved, with the way back to what was typed; in view also far down a long list. */
function FailureNotice<R extends Row, Draft>({ kind, list }: Pick<Props<R, Draft>, 'kind' | 'list'>) {
  const { failure } = list
  if (!failure) return null
  const { retry, theirs, message } = failure
  const keep = () => retry && list.keepEditing(retry)
  return (
    <div className="sticky top-18 z-20 max-h-[75vh] overflow-y-auto">
      <ErrorBanner message={message} onDismiss={list.dismiss}>
        {theirs && retry?.draft != null ? (
          <StaleNotice
            name={kind.nameOf(theirs)}
            rows={differences(kind.preview(theirs, retry.draft), theirs, kind.said)}
            onKeep={keep}
            onTake={list.dismiss}
          />
        ) : (
          retry && (
            <Button look="quiet" className="mt-3" onClick={keep}>
              Keep editing {kind.nameOf(retry.row)}
            </Button>
          )
        )}
      </ErrorBanner>
    </div>
  )
}

/** Whether another part of this list is being fetched. */
function useLoadingList(): boolean {
  const { pathname } = useLocation()
  return useNavigation().location?.pathname === pathname
}

/** The list itself: messages, headings, rows of alternating background, one of them in edit at a time. */
export function ListView<R extends Row, Draft>({ label, kind, list, tick, empty }: Props<R, Draft>) {
  const [historyOf, setHistoryOf] = useState<{ id: string; name: string } | null>(null)
  const loading = useLoadingList()
  return (
    <>
      <FailureNotice kind={kind} list={list} />
      <div className="flex min-h-8 flex-wrap items-center gap-x-6">
        <p role="status" className="text-good">
          {list.said}
        </p>
        {loading && <Spinner label="Loading" />}
        {list.sent !== null && list.sent < 1 && <Upload sent={list.sent} />}
      </div>
      <ColumnHeads columns={kind.columns} grid={kind.grid} />
      {list.rows.length === 0 ? (
        <p className="border-line border-y py-8 text-lg text-slate">{empty}</p>
      ) : (
        <ul
          aria-label={label}
          aria-busy={loading}
          onKeyDown={moveBetweenRows}
          className="border-line border-t"
        >
          {list.rows.map((row) => {
            const { editing } = list
            const open = editing?.row._id === row._id ? editing : null
            return (
              <ListRow
                key={row._id}
                name={kind.nameOf(row)}
                grid={kind.grid}
                busy={list.busy.has(row._id)}
                deletable={row.status === 'DISABLED'}
                tick={tick?.(row)}
                cells={<kind.Cells row={row} />}
                form={
                  open && (
                    <kind.Form
                      row={open.row}
                      draft={open.draft}
                      faults={open.faults}
                      onSave={(draft) => list.save(open.row, draft)}
                      onCancel={list.cancel}
                      onChange={list.touched}
                    />
                  )
                }
                onEdit={() => list.begin(row)}
                onCancel={list.cancel}
                onDelete={() => list.remove(row)}
                onHistory={() => setHistoryOf({ id: row._id, name: kind.nameOf(row) })}
              />
            )
          })}
        </ul>
      )}
      <HistoryDialog
        entity={kind.entity}
        of={historyOf}
        said={kind.said}
        onClose={() => setHistoryOf(null)}
      />
    </>
  )
}

/** How much of an upload has left. */
export const Upload = ({ sent }: { sent: number }) => (
  <label className="flex items-center gap-3 text-slate">
    Sending pictures
    <progress className="h-3 w-40 accent-teal" value={sent} max={1} />
    <span>{Math.round(sent * 100)}%</span>
  </label>
)
