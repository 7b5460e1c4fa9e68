import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedComplaint } from '@befaqt/domain/api/complaint-api'
import { settlePayment } from '@befaqt/domain/api/endpoints/order-page'
import type { ManagedOrder, ManagedOrderRow } from '@befaqt/domain/api/order-api'
import { couponIdle } from '@befaqt/domain/coupon'
import { momentText, slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { mayDo } from '@befaqt/domain/order-states'
import { paymentText } from '@befaqt/domain/payment'
import { mayAtDesk } from '@befaqt/domain/rights'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useViewer } from '#web/root-data.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { OrderComplaints } from '../complaint/order-complaints.tsx'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import { BesideLine, ListBeside, WithListBeside } from '../list/list-beside.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import { managedOrderPath, slotPath } from '../paths.ts'
import type { Read } from '../read.ts'
import { notPackedText, OrderMoves } from './order-moves.tsx'
import { buyerName, kindLabels, OrderStateMark, stateLabels } from './order-parts.tsx'
import { Address, OrderLines, PackingSlip } from './packing/packed-order.tsx'
import { PackingForm } from './packing/packing-form.tsx'
import { SlotChange } from './slot-change.tsx'
import { ReplaceBoxes, ToDecide } from './to-decide.tsx'

/** `queue`: the page of the list that the address asks for. */
export type OrderFound = {
  order: ManagedOrder
  complaints: ManagedComplaint[]
  queue: Paged<ManagedOrderRow>
}

/** Everything the shop does with one order: weigh, pack, hand out, move, cancel. */
export function OrderDetail({ found }: { found: Read<OrderFound> }) {
  const order = found.data?.order
  const number = order?.number ?? ''
  const queue = found.data && <QueueBeside orders={found.data.queue} shown={found.data.order._id} />
  return (
    <ManageLayout
      title={
        <>
          Order <span className="whitespace-nowrap">{number}</span>
        </>
      }
      headTitle={`Order ${number}`.trim()}
      help={false}
    >
      <WithListBeside back="Back to the queue" to="/manage/order" list={queue}>
        <ReadResult key={order?._id} found={found}>
          {(data) => <Detail {...data} />}
        </ReadResult>
      </WithListBeside>
    </ManageLayout>
  )
}

/** The queue as it was narrowed. */
const QueueBeside = ({ orders, shown }: { orders: Paged<ManagedOrderRow>; shown: string }) => (
  <ListBeside
    label="Queue"
    thing="order"
    things="orders"
    list={orders}
    idOf={({ _id }) => _id}
    shown={shown}
    pathOf={managedOrderPath}
  >
    {({ number, contact, slot, total, status }) => (
      <>
        <BesideLine>
          <span className="font-semibold tabular-nums">{number}</span>
          <OrderStateMark state={status} />
        </BesideLine>
        <BesideLine>
          <span className="wrap-anywhere">{buyerName(contact)}</span>
          <span className="tabular-nums">{formatDollars(cents(total))}</span>
        </BesideLine>
        <span className="block text-slate">{slotText(slot)}</span>
      </>
    )}
  </ListBeside>
)

function Detail({ order, complaints }: Omit<OrderFound, 'queue'>) {
  const { message, done } = useAction()
  const [isDirty, setDirty] = useState(false)
  const hydrated = useHydrated()
  const isPlaced = mayDo(order.status, 'weigh')
  const [mayChange] = useState(mayAtDesk(useViewer(), 'order:write')) // a session that ends takes away nothing that is typed
  if (!mayChange) return <Shown order={order} complaints={complaints} />
  return (
    <>
      <div className="no-print grid gap-8">
        <Facts order={order} />
        <StatusMessage message={message} className="empty:hidden" />
        <ToDecide order={order} onDone={done} />
        <OrderComplaints order={order} complaints={complaints} onDone={done} />
        <PaymentProblem order={order} onDone={() => done('Done.')} />
        {isPlaced && order.asksBuyer && <BuyerAsked order={order} />}
        {isPlaced ? (
          <PackingForm order={order} onSaved={() => done('Saved.')} onDirty={setDirty} />
        ) : (
          <OrderLines order={order} />
        )}
        {!isPlaced && order.toDecide.length > 0 && (
          <ReplaceBoxes order={order} onDone={() => done('Replaced.')} />
        )}
        <div className="flex flex-wrap gap-3">
          <OrderMoves
            order={order}
            notPacked={notPackedText(order, isDirty)}
            onMoved={(state) => done(`Done: ${stateLabels[state]}.`)}
          />
          {mayDo(order.status, 'change the time') && (
            <SlotChange order={order} onMoved={(slot) => done(`Moved to ${slotText(slot)}.`)} />
          )}
          <Button variant="outline" disabled={!hydrated} onClick={() => window.print()}>
            Print packing slip
          </Button>
        </div>
        <Events order={order} />
      </div>
      <div className="print-only">
        <PackingSlip order={order} />
      </div>
    </>
  )
}

/** An order for who may look at it and not more. */
const Shown = ({ order, complaints }: Omit<OrderFound, 'queue'>) => (
  <div className="grid gap-8">
    <Facts order={order} />
    <OrderComplaints order={order} complaints={complaints} />
    <OrderLines order={order} />
    <Events order={order} />
  </div>
)

function Facts({ order }: { order: ManagedOrder }) {
  const { contact, slot } = order
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-4 xl:grid-cols-5">
      <Fact label="State">
        <OrderStateMark state={order.status} />
        {order.invoiceNumber && <span className="ml-2 text-sm tabular-nums">{order.invoiceNumber}</span>}
      </Fact>
      <Fact label={kindLabels[order.kind]}>
        <Link to={slotPath(slot._id)} className="link inline-block py-1">
          {slotText(slot)}
        </Link>
        <Address of={order} />
      </Fact>
      <Fact label="Buyer">
        <span className="wrap-anywhere">{buyerName(contact)}</span>
        {contact && (
          <>
            <a href={`tel:${contact.phone.replaceAll(' ', '')}`} className="link block py-1 tabular-nums">
              {contact.phone}
            </a>
            <a href={`mailto:${contact.email}`} className="link block py-1 wrap-anywhere">
              {contact.email}
            </a>
          </>
        )}
      </Fact>
      <Fact label="Total">
        <span className="tabular-nums">{formatDollars(cents(order.totals.total))}</span>
        {order.totals.total !== order.agreed && (
          <span className="block muted">agreed {formatDollars(cents(order.agreed))}</span>
        )}
      </Fact>
      {order.coupon && (
        <Fact label="Coupon">
          {order.coupon.code}
          <span className="block muted">
            {order.totals.coupon === undefined
              ? couponIdle(order.coupon)
              : `${formatDollars(cents(order.totals.coupon))} taken off`}
          </span>
        </Fact>
      )}
      <Fact label="Payment">{paymentText(order.status, order.totals.total, order.payment)}</Fact>
      {order.note && (
        <Fact label="Note of the buyer" wide>
          <span className="whitespace-pre-line wrap-anywhere">{order.note}</span>
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) => (
  <div className={wide ? 'sm:col-span-full' : undefined}>
    <dt className="font-semibold muted">{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** Weighed above the tolerance: the shop waits for the buyer. */
const BuyerAsked = ({ order }: { order: ManagedOrder }) => (
  <Alert tone="warn">
    <p className="font-semibold">The buyer was asked to accept {formatDollars(cents(order.totals.total))}.</p>
    <p>
      It is more than the {formatDollars(cents(order.most))} that may be charged without asking.{' '}
      {order.contact
        ? 'An email with a link has been sent; you could also call.'
        : 'The account was deleted, so nobody can be asked: weigh less, or cancel.'}{' '}
      Weigh less, and it can be packed at once.
    </p>
  </Alert>
)

/** Who did what, and when. */
function Events({ order }: { order: ManagedOrder }) {
  const zone = useMarketZone()
  return (
    <section aria-labelledby="events">
      <h2 id="events" className="mb-3 text-2xl">
        History
      </h2>
      <ol className="divide-y divide-line border-line border-y">
        {order.events.map(({ status, who, reason, paid, happenedAt }) => (
          <li
            key={`${happenedAt} ${status} ${reason}`}
            className="flex flex-wrap items-baseline gap-x-4 py-2"
          >
            <span className="w-44 muted tabular-nums">{momentText(happenedAt, zone)}</span>
            <OrderStateMark state={status} isPast />
            <span className="text-sm">by {who ?? 'the buyer'}</span>
            {paid !== null && (
              <span className="basis-full">{formatDollars(cents(paid))} paid otherwise, not by card</span>
            )}
            {reason && <span className="basis-full whitespace-pre-line wrap-anywhere">{reason}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** What the provider of the card payment did not do, and trying it again. */
function PaymentProblem({ order, onDone }: { order: ManagedOrder; onDone: () => void }) {
  const { busy, failure, run } = useCall()
  const hydrated = useHydrated()
  if (order.paymentProblem === null) return null
  const again = async () => {
    await callApi(settlePayment, { params: { id: order._id } })
    onDone()
  }
  return (
    <Alert tone="warn">
      <p className="font-semibold">The card payment needs attention.</p>
      <p className="wrap-anywhere">{order.paymentProblem}</p>
      {order.paymentReference && (
        <p className="text-sm wrap-anywhere">At Stripe it is {order.paymentReference}.</p>
      )}
      {failure !== null && <FailureBanner error={failure} />}
      <Button
        variant="outline"
        className="my-2"
        disabled={!hydrated}
        aria-busy={busy}
        onClick={() => void run(again)}
      >
        {busy ? 'Trying…' : 'Try again now'}
      </Button>
    </Alert>
  )
}
