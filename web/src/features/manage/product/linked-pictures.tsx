import { dropLinkedPicture, retryLinkedPicture } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { LinkedPictures as Found } from '@befaqt/domain/api/manage-api'
import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import { type Column, PlainTable, RowAction } from '../list/list-table.tsx'
import { useAction } from '../manage-layout.tsx'

type Row = Found['rows'][number]

/** While some are tried, how long until it is looked again whether they are there. */
const LOOK_MS = 15_000

const columns: readonly Column<Row>[] = [
  { heading: 'Product', isName: true, cell: ({ title }) => <span className="wrap-anywhere">{title}</span> },
  {
    heading: 'Address',
    className: 'max-lg:w-full',
    cell: ({ address }) => <span className="text-sm wrap-anywhere">{address}</span>,
  },
  {
    heading: 'State',
    className: 'max-lg:w-full',
    cell: ({ failed, attempts, reason }) => (
      <>
        <Badge tone={failed ? 'bad' : 'warn'}>
          {failed ? 'given up' : attempts === 0 ? 'waiting' : `tried ${attempts} times`}
        </Badge>
        {reason && <span className="block text-sm wrap-anywhere">{reason}</span>}
      </>
    ),
  },
]

/** Pictures that a file of products names by addresses and that are not there yet; nothing where there are none. */
export function LinkedPictures({ found }: { found: Found }) {
  const { failure, message, run, dismiss, busy, ready } = useAction()
  const { revalidate, state } = useRevalidator()
  const isTried = found.waiting > 0
  useEffect(() => {
    if (!isTried || state !== 'idle') return
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void revalidate()
    }, LOOK_MS)
    return () => clearTimeout(timer)
  })
  if (found.total === 0) return <StatusMessage message={message} className="empty:hidden" />
  const again = ({ _id: id }: Row) =>
    run(async () => {
      await callApi(retryLinkedPicture, { params: { id } })
      return 'It is tried again.'
    })
  const leave = ({ _id: id, title }: Row) =>
    run(async () => {
      await callApi(dropLinkedPicture, { params: { id } })
      return `A picture of ${title} is left out.`
    })
  const failed = found.total - found.waiting
  return (
    <details open={failed > 0} className="mb-6">
      <summary className="tap font-semibold">
        Pictures to be fetched: {found.waiting} waiting{failed > 0 && `, ${failed} given up`}
      </summary>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <StatusMessage message={message} className="empty:hidden" />
      <PlainTable
        caption="Pictures to be fetched"
        columns={columns}
        rows={found.rows}
        idOf={({ _id }) => _id}
        actions={(row) => (
          <>
            <RowAction
              action="again"
              label={`Try again: ${row.address}`}
              disabled={!ready || busy}
              onClick={() => void again(row)}
            >
              Try again
            </RowAction>
            <RowAction
              action="leave"
              variant="link"
              label={`Leave out: ${row.address}`}
              disabled={!ready || busy}
              onClick={() => void leave(row)}
            >
              Leave out
            </RowAction>
          </>
        )}
      />
      {found.total > found.rows.length && <p className="muted">and {found.total - found.rows.length} more</p>}
    </details>
  )
}
