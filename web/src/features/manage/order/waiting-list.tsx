import type { Paged } from '@befaqt/domain/api/box-api'
import { cancelOrder, confirmOrder } from '@befaqt/domain/api/endpoints/order-page'
import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { momentText, slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { ListPlaces } from '#web/components/list-places.tsx'
import { Moment, useMarketZone } from '#web/time/time.tsx'
import { Confirm } from '../form-parts.tsx'
import { columnsOf } from '../list/columns.tsx'
import { PlainTable } from '../list/list-table.tsx'
import { managedOrderPath } from '../paths.ts'
import { buyerName, kindLabels, lineTitle, quantityText, ReasonField, reasonOf } from './order-parts.tsx'

const states: Readonly<Record<WaitingOrder['status'], { text: string; tone: BadgeTone }>> = {
  WAITING: { text: 'waiting', tone: 'warn' },
  LAPSED: { text: 'lapsed', tone: 'plain' },
  DROPPED: { text: 'dropped', tone: 'bad' },
}

function State({ status, payment, until, reason }: WaitingOrder) {
  const zone = useMarketZone()
  return (
    <>
      <Badge tone={states[status].tone}>{states[status].text}</Badge>
      {status === 'WAITING' && (
        <span className="block muted">
          for {payment === 'card' ? 'its card' : 'a click in its email'}, until {momentText(until, zone)}
        </span>
      )}
      {reason && <span className="block muted wrap-anywhere">{reason}</span>}
    </>
  )
}

const columns = columnsOf<'waiting', WaitingOrder>('waiting', {
  buyer: {
    heading: 'Buyer',
    isName: true,
    cell: ({ contact }) => (
      <>
        <span className="wrap-anywhere">{contact ? buyerName(contact) : 'forgotten'}</span>
        {contact && (
          <span className="block font-normal muted wrap-anywhere">
            {contact.phone}, {contact.email}
          </span>
        )}
      </>
    ),
  },
  for: {
    heading: 'For',
    cell: ({ kind, slot }) => (
      <>
        <span className="block font-semibold">{kindLabels[kind]}</span>
        <span className="text-sm">{slotText(slot)}</span>
      </>
    ),
  },
  wants: {
    heading: 'Wants',
    cell: ({ lines }) => (
      <ul>
        {lines.map((line) => (
          <li key={line.position} className="text-sm wrap-anywhere">
            {lineTitle(line)}, {quantityText(line)}
          </li>
        ))}
      </ul>
    ),
  },
  total: {
    heading: 'Total',
    isNumber: true,
    cell: ({ totals }) => formatDollars(cents(totals.total)),
  },
  state: { heading: 'State', cell: (waiting) => <State {...waiting} /> },
  placed: {
    heading: 'Placed',
    labelled: true,
    cell: ({ createdAt }) => createdAt && <Moment at={createdAt} />,
  },
})

/** Large first orders that nothing is taken for yet, and those that ended so in the last days. */
export function WaitingList({ found }: { found: Paged<WaitingOrder> }) {
  const [done, setDone] = useState<{ message: string; order?: string } | null>(null)
  return (
    <>
      <p className="mb-4 max-w-prose text-slate">
        First orders above the shop’s limit, which wait for a click in their email or for a card. They have no
        number, and take neither stock nor a place in a slot. Search, slot and day above are for orders: all
        that waits is listed here.
      </p>
      <p role="status" className="min-h-6 text-good">
        {done?.message}{' '}
        {done?.order && (
          <Link to={managedOrderPath(done.order)} className="link">
            See the order
          </Link>
        )}
      </p>
      <PlainTable
        caption="Waiting orders"
        columns={columns}
        rows={found.rows}
        idOf={({ _id }) => _id}
        actions={(waiting) => <Actions waiting={waiting} onDone={setDone} />}
        empty="No large first order waits."
      />
      <ListPlaces {...found} thing="order" things="orders" />
    </>
  )
}

type Done = (said: { message: string; order?: string }) => void

function Actions({ waiting, onDone }: { waiting: WaitingOrder; onDone: Done }) {
  const hydrated = useHydrated()
  const { revalidate } = useRevalidator()
  const [asked, setAsked] = useState<'confirm' | 'drop' | null>(null)
  const [missing, setMissing] = useState(false)
  if (waiting.status !== 'WAITING') return null
  const params = { id: waiting._id }
  const close = () => setAsked(null)
  const confirm = async () => {
    const { _id, number } = await callApi(confirmOrder, { params, query: {}, body: {} })
    onDone({ message: `It is order ${number} now.`, order: _id })
    await revalidate()
  }
  const drop = async (entered: FormData) => {
    const reason = reasonOf(entered)
    setMissing(reason === '')
    if (reason === '') return
    await callApi(cancelOrder, { params, query: {}, body: { reason } })
    onDone({ message: 'The order is dropped.' })
    await revalidate()
  }
  return (
    <>
      {(['confirm', 'drop'] as const).map((action) => (
        <Button
          key={action}
          variant="outline"
          className="px-3"
          disabled={!hydrated}
          onClick={() => setAsked(action)}
        >
          {action === 'confirm' ? 'Confirm' : 'Drop'}
          <span className="sr-only"> the order of {buyerName(waiting.contact)}</span>
        </Button>
      ))}
      <Dialog open={asked === 'confirm'} title="Confirm this order for the buyer?" onClose={close}>
        <Confirm action="Confirm the order" cancel="Not yet" onConfirm={confirm} onClose={close}>
          <p>
            For one who called, for example. It takes stock and slot now, if all of it is left, and the buyer
            gets the email of a placed order.
          </p>
        </Confirm>
      </Dialog>
      <Dialog open={asked === 'drop'} title="Drop this order?" onClose={close}>
        <Confirm action="Drop the order" cancel="Keep it" onConfirm={drop} onClose={close}>
          <p>Its link confirms nothing any more, and name and address are forgotten. No email is sent.</p>
          <ReasonField hint="The buyer reads it on the order’s page." isMissing={missing} />
        </Confirm>
      </Dialog>
    </>
  )
}
