import type { Paged } from '@befaqt/domain/api/box-api'
import type { Change } from '@befaqt/domain/api/manage-api'
import { type ReactNode, useEffect, useState } from 'react'
import { fetchApi } from '#web/api/fetch-api.ts'
import { visitorWords } from '#web/api/hydration.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { When } from '#web/features/box/when.tsx'
import { DifferenceTable } from './difference-table.tsx'
import { differences } from './differences.ts'
import { ErrorBanner } from './error-banner.tsx'

type Props = {
  entity: Change['entity']
  /** Whose history, without `id` that of all; null: the dialog is closed. */
  of: { id?: string; name: string } | null
  said: (field: string, value: unknown) => string
  /** What somebody did, in words, where 'changed' and a list of what changed say too little. */
  told?: (change: Change) => ReactNode
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

function useHistory(entity: Change['entity'], id: string | undefined) {
  const [found, setFound] = useState<Paged<Change> | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [page, setPage] = useState(1)
  useEffect(() => {
    let gone = false
    setFailure(null)
    fetchApi.history({ entity, ...(id !== undefined && { id }), page }).then(
      (next) => !gone && setFound((before) => ({ ...next, rows: [...(before?.rows ?? []), ...next.rows] })),
      (error: unknown) => !gone && setFailure(visitorWords(error)),
    )
    return () => {
      gone = true
    }
  }, [entity, id, page])
  return { found, failure, more: () => setPage((now) => now + 1) }
}

type HistoryProps = Pick<Props, 'entity' | 'said' | 'told'> & { id: string | undefined }

function History({ entity, id, said, told }: HistoryProps) {
  const { found, failure, more } = useHistory(entity, id)
  if (failure) return <ErrorBanner message={failure} />
  if (!found) return <Spinner label="Loading the history" />
  if (found.rows.length === 0) return <p className="text-slate">Nothing was changed since this began.</p>
  return (
    <>
      <ol className="grid gap-5">
        {found.rows.map((change) => (
          <li key={change.id} className="border-line border-l-4 pl-4">
            <p className="mb-1">
              <b className="font-semibold">{change.who}</b> {told?.(change) ?? actions[change.action]}{' '}
              <span className="text-slate">
                <When text={change.happenedAt} />
              </span>
            </p>
            {!told && change.action === 'update' && (
              <DifferenceTable
                caption="What changed"
                rows={differences(change.before ?? {}, change.after ?? {}, said)}
              />
            )}
          </li>
        ))}
      </ol>
      {found.rows.length < found.total && (
        <Button look="quiet" className="mt-5" onClick={more}>
          Older changes
        </Button>
      )}
    </>
  )
}
