import type { Paged } from '@befaqt/domain/api/box-api'
import { readHistory } from '@befaqt/domain/api/endpoints/manage'
import type { Change } from '@befaqt/domain/api/manage-api'
import { type ReactNode, useCallback } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { Moment } from '#web/time/time.tsx'
import { ErrorBanner } from '../form-parts.tsx'
import { type Difference, differences, fieldName } from './differences.ts'
import { type PartAsked, usePages } from './use-pages.ts'

type Props = {
  entity: Change['entity']
  /** Whose history, without `id` that of all; null: the dialog is closed. */
  of: { id?: string; name: string } | null
  /** Text for values that say nothing by themselves. */
  valueText?: (field: string, value: unknown) => string
  /** What somebody did, as text, where 'changed' and a list of what changed say too little. */
  describe?: (change: Change) => ReactNode
  onClose: () => void
}

const actions = { create: 'created this', update: 'changed', delete: 'deleted this' } as const

/** Who changed what and when: shown, never edited. */
export function HistoryDialog({ of, onClose, ...rest }: Props) {
  return (
    <Dialog open={of !== null} title={`History of ${of?.name ?? ''}`} onClose={onClose}>
      {of && <History key={of.id} id={of.id} {...rest} />}
    </Dialog>
  )
}

type HistoryProps = Pick<Props, 'entity' | 'valueText' | 'describe'> & { id: string | undefined }

function History({ entity, id, valueText, describe }: HistoryProps) {
  const read = useCallback(
    (at: PartAsked) => callApi(readHistory, { query: { entity, ...(id !== undefined && { id }), ...at } }),
    [entity, id],
  )
  return (
    <ChangeList read={read} keyOf={(change) => change.id} none="No changes yet.">
      {(change) => (
        <>
          <p>
            <b className="font-semibold">{change.who}</b> {describe?.(change) ?? actions[change.action]}{' '}
            <span className="text-slate">
              {change.happenedAt === null ? 'at an unknown time' : <Moment at={change.happenedAt} />}
            </span>
          </p>
          {!describe && change.action === 'update' && (
            <DifferenceTable
              caption="What changed"
              rows={differences(change.before ?? {}, change.after ?? {}, valueText)}
            />
          )}
        </>
      )}
    </ChangeList>
  )
}

type ListProps<Row> = {
  read: (at: PartAsked) => Promise<Paged<Row>>
  keyOf: (row: Row) => string | number
  /** Said where nothing was changed. */
  none: string
  children: (row: Row) => ReactNode
}

/** Changes with the newest first, and a button that reads older ones. */
export function ChangeList<Row>({ read, keyOf, none, children }: ListProps<Row>) {
  const { rows, total, hasMore, busy, failure, more } = usePages(read, keyOf)
  if (total === 0) return <p className="text-slate">{none}</p>
  return (
    <>
      <ol className="grid gap-6">
        {rows.map((row) => (
          <li key={keyOf(row)} className="grid gap-2 border-line border-l-4 pl-4">
            {children(row)}
          </li>
        ))}
      </ol>
      <div className="mt-5">
        {failure && <ErrorBanner message={failure} />}
        {total === null && busy && <Spinner label="Loading the history" />}
        {(failure !== null || (total !== null && hasMore)) && (
          <Button variant="outline" aria-disabled={busy} onClick={more}>
            {busy ? 'Loading…' : failure ? 'Try again' : 'Older changes'}
          </Button>
        )}
      </div>
    </>
  )
}

/** Fields with what they were and what they are. */
export function DifferenceTable({ rows, caption }: { rows: readonly Difference[]; caption: string }) {
  return (
    <dl aria-label={caption} className="grid gap-y-2">
      {rows.map(({ field, from, to }) => (
        <div key={field} className="grid gap-x-4 sm:grid-cols-[9rem_1fr]">
          <dt className="font-semibold">{fieldName(field)}</dt>
          <dd className="min-w-0 whitespace-pre-line wrap-anywhere">
            <s className="text-slate">{from}</s>
            <span aria-hidden="true"> → </span>
            <span className="sr-only"> became </span>
            {to}
          </dd>
        </div>
      ))}
    </dl>
  )
}
