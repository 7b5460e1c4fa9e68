import type { CustomerList, CustomerRow } from '@befaqt/domain/api/desk-api'
import { dayText } from '@befaqt/domain/moment-text'
import { Link, useSearchParams } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { columnsOf } from '../list/columns.tsx'
import { PlainTable, RowLink } from '../list/list-table.tsx'
import { FilterBar } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { customerPath } from '../paths.ts'
import { type Read, withParams } from '../read.ts'
import { dollars } from '../report/report-parts.tsx'

/** Customers: who bought, when and how much. Source: desk.md 'Customers'. */
export function CustomerScreen({ found }: { found: Read<CustomerList> }) {
  return (
    <ManageLayout help={false}>
      <FilterBar label="Search customers" hint="Name, email or phone" filters={[]} sorts={[]} />
      <ReadResult found={found}>{(list) => <Customers {...list} />}</ReadResult>
    </ManageLayout>
  )
}

function Customers({ rows, next, isCut, isMade }: CustomerList) {
  const [params] = useSearchParams()
  return (
    <>
      {!isMade && (
        <Alert tone="warn" className="mb-4">
          <p>What was bought is being added up anew. Until that is done, some of it is missing here.</p>
        </Alert>
      )}
      {isCut && (
        <p className="mb-3 text-slate">
          More than a thousand match: these are some of them. Narrow the search.
        </p>
      )}
      <PlainTable
        caption="Customers"
        columns={columns}
        rows={rows}
        idOf={({ _id }) => _id}
        empty={params.get('q') ? 'No customers match.' : 'Nobody with an account has bought anything yet.'}
      />
      <nav aria-label="More customers" className="mt-4 flex flex-wrap gap-3 empty:hidden">
        {params.has('after') && (
          <Link to={withParams(params, { after: '' })} className="link tap">
            Back to the first
          </Link>
        )}
        {next !== null && (
          <ButtonLink variant="outline" to={withParams(params, { after: next })}>
            {params.get('q') ? 'More customers' : 'Those who bought less'}
          </ButtonLink>
        )}
      </nav>
      <p className="mt-4 max-w-prose muted">
        Who has an account; guests are in the reports as one line. Cancelled orders don’t count, and what was
        given back is taken off.
      </p>
    </>
  )
}

const columns = columnsOf<'customer', CustomerRow>('customer', {
  name: {
    heading: 'Name',
    isName: true,
    cell: ({ _id, name, email }) => (
      <span className="wrap-anywhere">
        <RowLink to={customerPath(_id)}>{name}</RowLink>
        <span className="block muted">{email}</span>
      </span>
    ),
  },
  orders: {
    heading: 'Orders',
    labelled: true,
    className: 'tabular-nums',
    cell: ({ orders }) => orders.toLocaleString('en-AU'),
  },
  bought: {
    heading: 'Bought for',
    labelled: true,
    className: 'tabular-nums',
    cell: ({ revenue }) => dollars(revenue),
  },
  last: {
    heading: 'Last slot',
    labelled: true,
    cell: ({ last }) => (last === null ? 'never' : `${dayText(last)} ${last.slice(0, 4)}`),
  },
})
