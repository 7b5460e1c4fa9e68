import type { Paged } from '@befaqt/domain/api/box-api'
import type { Customer } from '@befaqt/domain/api/desk-api'
import { copyCustomerData, eraseCustomer, mergeGuestOrders } from '@befaqt/domain/api/endpoints/manage'
import type { OrderRow } from '@befaqt/domain/api/order-api'
import { dayText, slotText } from '@befaqt/domain/moment-text'
import { mayAtDesk } from '@befaqt/domain/rights'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { saveFile } from '#web/api/download.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { ListPlaces } from '#web/components/list-places.tsx'
import { useViewer } from '#web/root-data.ts'
import { Moment } from '#web/time/time.tsx'
import { Confirm, FailureBanner, StatusMessage } from '../form-parts.tsx'
import { type Column, PlainTable, RowLink } from '../list/list-table.tsx'
import { StatusMark } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import { OrderStateMark } from '../order/order-parts.tsx'
import { managedOrderPath } from '../paths.ts'
import type { Read } from '../read.ts'
import { dollars } from '../report/report-parts.tsx'

export type CustomerFound = { customer: Customer; orders: Paged<OrderRow> }

/** One customer: what they bought, and what may be done about their data. */
export function CustomerDetail({ found }: { found: Read<CustomerFound> }) {
  return (
    <ManageLayout title={found.data?.customer.name ?? 'Customer'} help={false}>
      <p className="mb-4">
        <Link to="/manage/customer" className="link tap">
          All customers
        </Link>
      </p>
      <ReadResult found={found}>{(data) => <One {...data} />}</ReadResult>
    </ManageLayout>
  )
}

const ordersText = (count: number): string =>
  count === 1 ? '1 order' : `${count.toLocaleString('en-AU')} orders`

function One({ customer, orders }: CustomerFound) {
  const isOwner = useViewer()?.role === 'ADMIN'
  return (
    <div className="grid items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <section aria-labelledby="orders" className="min-w-0">
        <h2 id="orders" className="mb-2 text-2xl">
          Orders
        </h2>
        <Orders orders={orders} />
      </section>
      <div className="grid min-w-0 gap-8">
        <Facts customer={customer} />
        <Merge customer={customer} />
        {isOwner && <Data customer={customer} />}
      </div>
    </div>
  )
}

function Orders({ orders }: { orders: Paged<OrderRow> }) {
  const seesOrders = mayAtDesk(useViewer(), 'order:read')
  const columns: readonly Column<OrderRow>[] = [
    {
      heading: 'Number',
      isName: true,
      className: 'whitespace-nowrap',
      cell: ({ _id, number }) =>
        seesOrders ? (
          <RowLink to={managedOrderPath(_id)} className="tabular-nums">
            {number}
          </RowLink>
        ) : (
          <span className="tabular-nums">{number}</span>
        ),
    },
    {
      heading: 'State',
      className: 'whitespace-nowrap',
      cell: ({ status }) => <OrderStateMark state={status} />,
    },
    { heading: 'Slot', className: 'xl:whitespace-nowrap', cell: ({ slot }) => slotText(slot) },
    { heading: 'Total', isNumber: true, cell: ({ total }) => dollars(total) },
  ]
  return (
    <>
      <PlainTable
        caption="Orders"
        columns={columns}
        rows={orders.rows}
        idOf={({ _id }) => _id}
        empty="No order with this account."
      />
      <ListPlaces {...orders} thing="order" things="orders" />
    </>
  )
}

function Facts({ customer }: { customer: Customer }) {
  const { email, phone, status, createdAt, orders, revenue, last, years, notices } = customer
  const facts = [
    ['Email', email],
    ['Phone', phone || 'none'],
    ['Account', <StatusMark key="status" status={status} />],
    ['Member since', createdAt === null ? 'unknown' : <Moment key="since" at={createdAt} />],
    ['Bought', `${ordersText(orders)} for ${dollars(revenue)}`],
    ['Last slot', last === null ? 'never' : `${dayText(last)} ${last.slice(0, 4)}`],
    [
      'Consent to notices',
      notices === 0 ? 'none' : `to be told of ${notices} that can be bought again; nothing else`,
    ],
  ] as const
  return (
    <section aria-labelledby="facts" className="rounded-lg border border-line bg-surface p-4">
      <h2 id="facts" className="mb-2 text-xl">
        Account
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 sm:gap-x-6">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="muted">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
        {years.map(({ year, orders, revenue }) => (
          <div key={year} className="contents">
            <dt className="muted">{year}</dt>
            <dd className="tabular-nums">
              {ordersText(orders)} for {dollars(revenue)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Orders that were placed without the account, for its address. */
function Merge({ customer: { _id, email, guestOrders } }: { customer: Customer }) {
  const { message, failure, dismiss, run, ready, busy } = useAction()
  const may = mayAtDesk(useViewer(), 'user:write')
  if (guestOrders === 0 && message === '') return null
  const merge = async (): Promise<string> => {
    const { count } = await callApi(mergeGuestOrders, { params: { id: _id } })
    return count === 1 ? '1 order is the account’s now.' : `${count} orders are the account’s now.`
  }
  return (
    <section aria-labelledby="merge">
      <h2 id="merge" className="mb-2 text-xl">
        Orders without the account
      </h2>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <StatusMessage message={message} />
      {guestOrders > 0 && (
        <>
          <p className="mb-3 max-w-prose">
            {guestOrders === 1 ? '1 order was' : `${guestOrders} orders were`} placed as a guest for {email},
            which the account has confirmed to be its own.
          </p>
          {may ? (
            <Button variant="outline" disabled={!ready} aria-busy={busy} onClick={() => void run(merge)}>
              Give them to the account
            </Button>
          ) : (
            <p className="muted">Who may change accounts can give them to this one.</p>
          )}
        </>
      )}
    </section>
  )
}

/** What a customer may ask the shop for: a copy of all that it holds of them, and that it goes. */
function Data({ customer: { _id, name, isStaff } }: { customer: Customer }) {
  const { message, failure, dismiss, run, ready, busy } = useAction()
  const [erasing, setErasing] = useState(false)
  const navigate = useNavigate()
  const copy = async (): Promise<string> => {
    const text = JSON.stringify(await callApi(copyCustomerData, { params: { id: _id } }), null, 2)
    saveFile(new Blob([text], { type: 'application/json' }), 'customer-data.json')
    return 'The copy is saved. Whoever asked for it should get it by a way that nobody else reads.'
  }
  return (
    <section aria-labelledby="data">
      <h2 id="data" className="mb-2 text-xl">
        Their data
      </h2>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <StatusMessage message={message} />
      <p className="mb-3 max-w-prose">
        For a customer who asks for it. Both ask for your password, and customers can do both themselves in
        their profile.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" disabled={!ready} aria-busy={busy} onClick={() => void run(copy)}>
          Download a copy
        </Button>
        {!isStaff && (
          <Button variant="outline" disabled={!ready} onClick={() => setErasing(true)}>
            Erase
          </Button>
        )}
      </div>
      <Dialog open={erasing} title={`Erase ${name}?`} onClose={() => setErasing(false)}>
        {erasing && (
          <Confirm
            action="Erase the account"
            onClose={() => setErasing(false)}
            onConfirm={async () => {
              await callApi(eraseCustomer, { params: { id: _id } })
              await navigate('/manage/customer')
            }}
          >
            <p>
              The account, addresses, and who its orders were for go at once, and nobody can bring them back.
              What was sold stays without a name. An email says so to {name}.
            </p>
          </Confirm>
        )}
      </Dialog>
    </section>
  )
}
