import type { Paged } from '@befaqt/domain/api/box-api'
import type { ComplaintPage } from '@befaqt/domain/api/complaint-api'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { exportOrders } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedOrderRow, ManagedSlot, OrderDay } from '@befaqt/domain/api/order-api'
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { orderStates } from '@befaqt/domain/order-states'
import { Link, useSearchParams } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { ButtonLink, buttonClass } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { ListPlaces } from '#web/components/list-places.tsx'
import { Moment } from '#web/time/time.tsx'
import { ComplaintList } from '../complaint/complaint-list.tsx'
import { columnsOf } from '../list/columns.tsx'
import { useInList } from '../list/list-beside.tsx'
import { PlainTable, RowLink } from '../list/list-table.tsx'
import { FilterBar } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { managedOrderPath, slotPath } from '../paths.ts'
import { asksForWaiting, complaintQuery, isNarrowed, orderQuery, type Read } from '../read.ts'
import { DaySummary } from './day-summary.tsx'
import { buyerName, kindLabels, OrderStateMark, stateLabels, undecidedTexts } from './order-parts.tsx'
import { WaitingList } from './waiting-list.tsx'

export type OrdersFound = {
  orders: Paged<ManagedOrderRow>
  /** Large first orders that are not confirmed, the newest first. */
  waiting: Paged<WaitingOrder>
  /** Null unless they are asked for. */
  complaints: ComplaintPage | null
  summary: OrderDay
  /** Slots to come, to narrow the list to one. */
  slots: readonly ManagedSlot[]
}

/** Manage Order: the queue, the next slot first, with what the day comes to. */
export function OrderScreen({ found }: { found: Read<OrdersFound> }) {
  const [params] = useSearchParams()
  return (
    <ManageLayout title={complaintQuery(params) === null ? 'Manage Order' : 'Complaints'}>
      <ReadResult found={found}>{(data) => <Orders {...data} />}</ReadResult>
    </ManageLayout>
  )
}

const statusFilter = {
  name: 'status',
  label: 'State',
  all: 'Open',
  choices: [
    ['decide', 'To decide'] as const,
    ['waiting', 'Waiting to be confirmed'] as const,
    ['complaint', 'Complaints'] as const,
    ['complaint-check', 'Complaints: boxes to look at'] as const,
    ...orderStates.map((state) => [state, stateLabels[state]] as const),
    ['all', 'Any state'] as const,
  ],
}

/** The way to large first orders, where some wait. */
function WaitingHint({ waiting }: Pick<OrdersFound, 'waiting'>) {
  const count = waiting.rows.filter(({ status }) => status === 'WAITING').length
  if (count === 0) return null
  return (
    <p className="mb-4">
      <Link to="/manage/order?status=waiting" className="link tap">
        {count === 1 ? '1 large first order waits' : `${count} large first orders wait`} to be confirmed
      </Link>
    </p>
  )
}

/** Slots that have orders, and the one that is shown. */
function slotFilter({ slots, orders }: OrdersFound, shown: string | null) {
  const choices = slots
    .filter((slot) => slot.orders > 0 || slot._id === shown)
    .map((slot) => [slot._id, `${slotText(slot)}, ${kindLabels[slot.kind]}`] as const)
  const past = orders.rows.find(({ slot }) => slot._id === shown)?.slot
  const isListed = choices.some(([id]) => id === shown)
  return {
    name: 'slot',
    label: 'Slot',
    all: 'Any slot',
    choices: past && !isListed ? [...choices, [past._id, slotText(past)] as const] : choices,
  }
}

function Orders(data: OrdersFound) {
  const { orders, summary, waiting, complaints } = data
  const [params] = useSearchParams()
  const isWaiting = asksForWaiting(params)
  const slot = params.get('slot')
  const { q, status, day } = orderQuery(params)
  const filter = { ...(q && { q }), ...(status && { status }), ...(slot && { slot }), ...(day && { day }) }
  if (complaints) return <Complaints found={complaints} />
  return (
    <>
      <DaySummary summary={summary} />
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-2xl">Queue</h2>
        <div className="flex flex-wrap gap-3">
          {slot && (
            <ButtonLink variant="outline" to={slotPath(slot)}>
              Picking list and labels
            </ButtonLink>
          )}
          {!isWaiting && (
            <a
              href={urlOf(exportOrders, { query: filter })}
              download="orders.csv"
              title="A row for each line of these orders, with all that is kept of it"
              className={buttonClass('outline')}
            >
              Order lines as CSV
            </a>
          )}
        </div>
      </div>
      <FilterBar
        label="Search orders"
        hint="Number, name, email or phone"
        filters={[statusFilter, slotFilter(data, slot)]}
        sorts={[]}
      >
        <InputField label="Day" name="day" type="date" defaultValue={day ?? ''} />
      </FilterBar>
      {isWaiting ? (
        <WaitingList found={waiting} />
      ) : (
        <>
          <WaitingHint waiting={waiting} />
          <PlainTable
            caption="Orders"
            columns={orderColumns}
            rows={orders.rows}
            idOf={({ _id }) => _id}
            actions={OrderAction}
            empty={!isNarrowed(params) ? 'Nothing to pack, hand out or send.' : 'No orders match.'}
          />
          <ListPlaces {...orders} thing="order" things="orders" />
        </>
      )}
    </>
  )
}

/** Complaints are found by the number of their order alone. */
const Complaints = ({ found }: { found: ComplaintPage }) => (
  <>
    <FilterBar label="Search complaints" hint="Number of the order" filters={[statusFilter]} sorts={[]} />
    <ComplaintList found={found} />
  </>
)

const OrderLink = ({ _id, number }: ManagedOrderRow) => (
  <RowLink to={useInList(managedOrderPath(_id))} className="tabular-nums">
    {number}
  </RowLink>
)

/** What the queue shows of an order. */
const orderColumns = columnsOf<'order', ManagedOrderRow>('order', {
  order: {
    heading: 'Order',
    isName: true,
    className: 'lg:whitespace-nowrap',
    cell: (row) => <OrderLink {...row} />,
  },
  for: {
    heading: 'For',
    className: 'xl:whitespace-nowrap',
    cell: ({ kind, slot }) => (
      <Link to={slotPath(slot._id)} className="inline-block py-1 hover:text-teal">
        <span className="block font-semibold">{kindLabels[kind]}</span>
        <span className="text-sm underline underline-offset-4">{slotText(slot)}</span>
      </Link>
    ),
  },
  buyer: {
    heading: 'Buyer',
    cell: ({ contact }) => (
      <>
        <span className="wrap-anywhere">{buyerName(contact)}</span>
        {contact && (
          <a
            href={`tel:${contact.phone.replaceAll(' ', '')}`}
            className="block py-1 muted tabular-nums hover:text-teal"
          >
            {contact.phone}
          </a>
        )}
      </>
    ),
  },
  total: {
    heading: 'Total',
    isNumber: true,
    cell: ({ total, lines }) => (
      <>
        {formatDollars(cents(total))}
        <span className="block muted">
          {lines} {lines === 1 ? 'line' : 'lines'}
        </span>
      </>
    ),
  },
  state: {
    heading: 'State',
    className: 'lg:whitespace-nowrap',
    cell: ({ status, payment, toDecide }) => (
      <>
        <OrderStateMark state={status} />
        {toDecide && (
          <span className="ml-2">
            <Badge tone={toDecide === 'recalled' ? 'bad' : 'warn'}>to decide</Badge>
            <span className="block text-sm">{undecidedTexts[toDecide]}</span>
          </span>
        )}
        {payment === 'OPEN' && <span className="block muted">not paid yet</span>}
      </>
    ),
  },
  placed: {
    heading: 'Placed',
    labelled: true,
    cell: ({ createdAt }) => createdAt && <Moment at={createdAt} />,
  },
})

/** The way to what is done next with an order. */
const OrderAction = ({ _id, number, status, toDecide }: ManagedOrderRow) => (
  <ButtonLink variant="outline" to={useInList(managedOrderPath(_id))} data-action="next" className="px-3">
    {toDecide ? 'Decide' : status === 'PLACED' ? 'Pack' : 'Open'}
    <span className="sr-only"> {number}</span>
  </ButtonLink>
)
