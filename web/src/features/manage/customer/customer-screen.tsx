import type { CustomerList, CustomerRow } from '@befaqt/domain/api/desk-api'
import { dayText } from '@befaqt/domain/moment-text'
import { mayAtDesk } from '@befaqt/domain/rights'
import { Link, useSearchParams } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { useViewer } from '#web/root-data.ts'
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
  const q = params.get('q')?.trim() ?? ''
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
        empty={q === '' ? 'Nobody with an account has bought anything yet.' : 'No customers match.'}
      />
      {rows.length === 0 && <NobodyFound q={q} />}
      <nav aria-label="More customers" className="mt-4 flex flex-wrap gap-3 empty:hidden">
        {params.has('after') && (
          <Link to={withParams(params, { after: '' })} className="link tap">
            Back to the first
          </Link>
        )}
        {next !== null && (
          <ButtonLink variant="outline" to={withParams(params, { after: next })}>
            {q === '' ? 'Those who bought less' : 'More customers'}
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

/** Where else somebody may be who is not listed here. */
function NobodyFound({ q }: { q: string }) {
  const seesOrders = mayAtDesk(useViewer(), 'order:read')
  const asked = new URLSearchParams({ status: 'all', ...(q !== '' && { q }) })
  return (
    <div className="mt-4 grid justify-items-start gap-1">
      <p className="max-w-prose text-slate">
        Guests have no account: their orders are found by name, email or phone.
      </p>
      {seesOrders && (
        <Link to={`/manage/order?${asked}`} className="link tap">
          {q === '' ? 'All orders' : `Search the orders for “${q}”`}
        </Link>
      )}
    </div>
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
    isNumber: true,
    cell: ({ orders }) => orders.toLocaleString('en-AU'),
  },
  bought: {
    heading: 'Bought for',
    labelled: true,
    isNumber: true,
    cell: ({ revenue }) => dollars(revenue),
  },
  last: {
    heading: 'Last slot',
    labelled: true,
    cell: ({ last }) => (last === null ? 'never' : `${dayText(last)} ${last.slice(0, 4)}`),
  },
})
