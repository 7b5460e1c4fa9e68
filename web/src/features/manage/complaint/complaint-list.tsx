import type { ComplaintPage, ComplaintRow } from '@befaqt/domain/api/complaint-api'
import { wishes } from '@befaqt/domain/complaint'
import { cents, formatDollars } from '@befaqt/domain/money'
import { mayAtDesk } from '@befaqt/domain/rights'
import { Link, useSearchParams } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { ComplaintMark, wrongText } from '#web/features/order/complaint/told.tsx'
import { useViewer } from '#web/root-data.ts'
import { Moment } from '#web/time/time.tsx'
import { columnsOf } from '../list/columns.tsx'
import { PlainTable, RowLink } from '../list/list-table.tsx'
import { managedOrderPath } from '../paths.ts'
import { withParams } from '../read.ts'

/** Where a complaint is worked on: beside its order. */
const complaintPath = (order: string): string => `${managedOrderPath(order)}#complaints`

/** What buyers say is wrong, open ones first; each is answered beside its order. */
export function ComplaintList({ found: { rows, next } }: { found: ComplaintPage }) {
  const [params] = useSearchParams()
  const mayAnswer = mayAtDesk(useViewer(), 'order:write')
  return (
    <>
      <PlainTable
        caption="Complaints"
        columns={columns}
        rows={rows}
        idOf={({ _id }) => _id}
        actions={(row) => <ComplaintAction {...row} mayAnswer={mayAnswer} />}
        empty="No complaints here. Buyers say on the page of their order what is wrong with it."
      />
      <nav aria-label="More complaints" className="mt-4 flex flex-wrap gap-3 empty:hidden">
        {params.has('after') && (
          <Link to={withParams(params, { after: '' })} className="link tap">
            Back to the first
          </Link>
        )}
        {next !== null && (
          <ButtonLink variant="outline" to={withParams(params, { after: next })}>
            Older ones
          </ButtonLink>
        )}
      </nav>
    </>
  )
}

const columns = columnsOf<'complaint', ComplaintRow>('complaint', {
  order: {
    heading: 'Order',
    isName: true,
    className: 'lg:whitespace-nowrap',
    cell: ({ order }) => (
      <RowLink to={complaintPath(order._id)} className="tabular-nums">
        {order.number}
      </RowLink>
    ),
  },
  wrong: {
    heading: 'What is wrong',
    className: 'max-lg:w-full lg:max-w-2xl',
    cell: ({ wrong, words, photos }) => (
      <>
        {wrongText(wrong)}
        {words !== '' && <span className="line-clamp-2 wrap-anywhere muted">{words}</span>}
        {photos > 0 && (
          <span className="block muted">
            {photos} {photos === 1 ? 'photo' : 'photos'}
          </span>
        )}
      </>
    ),
  },
  wished: {
    heading: 'Wished',
    labelled: true,
    cell: ({ wish, promised, isRefunded }) => (
      <>
        {wishes[wish]}
        {promised !== null && (
          <span className="block muted">
            {formatDollars(cents(promised))} {isRefunded ? 'given back' : 'promised'}
          </span>
        )}
      </>
    ),
  },
  since: {
    heading: 'Since',
    labelled: true,
    className: 'text-sm',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  state: {
    heading: 'State',
    className: 'lg:whitespace-nowrap',
    cell: ({ status, isToCheck, toCheck }) => (
      <span className="flex flex-wrap gap-2">
        <ComplaintMark status={status} />
        {isToCheck && (
          <Badge tone="bad">{toCheck.length === 0 ? 'look at it' : `look at ${toCheck.join(', ')}`}</Badge>
        )}
      </span>
    ),
  },
  photos: {
    heading: 'Photos',
    labelled: true,
    isNumber: true,
    cell: ({ photos }) => photos,
  },
  stage: {
    heading: 'The order is',
    labelled: true,
    cell: ({ order }) => order.status.toLowerCase(),
  },
})

const ComplaintAction = ({ order, status, mayAnswer }: ComplaintRow & { mayAnswer: boolean }) => (
  <ButtonLink variant="outline" to={complaintPath(order._id)} className="px-3">
    {status === 'OPEN' && mayAnswer ? 'Answer' : 'Open'}
    <span className="sr-only"> {order.number}</span>
  </ButtonLink>
)
