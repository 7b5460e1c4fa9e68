import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { momentText, slotText } from '@befaqt/domain/moment-text'
import type { WaitingState } from '@befaqt/domain/statuses'
import { Suspense } from 'react'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { useMarketZone } from '#web/time/time.tsx'
import { BuyAgain } from './order-actions.tsx'
import { useFreshOrder, type WaitingData } from './order-calls.ts'
import { OrderLines, OrderTotals } from './order-lines.tsx'
import { PickUpPlace } from './pick-up-place.tsx'

const waitingActions = () => import('./waiting-actions.tsx')
const WaitingActions = import.meta.env.SSR ? (await waitingActions()).default : lazyPart(waitingActions)

const labels: Readonly<Record<WaitingState, { text: string; tone: BadgeTone }>> = {
  WAITING: { text: 'Waiting', tone: 'warn' },
  LAPSED: { text: 'Lapsed', tone: 'bad' },
  DROPPED: { text: 'Dropped', tone: 'bad' },
}

/** Why nothing comes of it, and what can be done. */
function Ended({ waiting }: { waiting: WaitingOrder }) {
  const zone = useMarketZone()
  const { status, until, reason, card, lines } = waiting
  const isReleased = card !== null && card.state !== 'OPEN' && card.state !== 'LAPSED'
  return (
    <div className="grid justify-items-start gap-3">
      <p className="max-w-prose text-lg">
        {status === 'LAPSED'
          ? `It was not confirmed until ${momentText(until, zone)}, and has lapsed.`
          : 'It was dropped.'}{' '}
        {reason} Nothing was taken for it, and nothing is charged.
        {isReleased && ' What is held on your card is released.'}
      </p>
      <BuyAgain lines={lines} />
    </div>
  )
}

/** A large first order until it is confirmed: what it waits for, until when, and what can be done. */
export default function WaitingPage({ waiting, link, confirm }: WaitingData) {
  const { status, kind, slot, address, contact, note, totals } = waiting
  useFreshOrder(status === 'WAITING' ? 'PLACED' : 'CANCELLED')
  return (
    <div className="wrap pt-10 pb-16 sm:pt-14">
      <div className="mb-6 flex flex-wrap items-center gap-x-5 gap-y-2">
        <h1 className="text-3xl sm:text-5xl">Your order</h1>
        <Badge tone={labels[status].tone}>{labels[status].text}</Badge>
      </div>
      <div className="mb-10">
        {status === 'WAITING' ? (
          <Suspense>
            <WaitingActions waiting={waiting} linkKey={link} confirm={confirm} />
          </Suspense>
        ) : (
          <Ended waiting={waiting} />
        )}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-10">
          <dl className="grid gap-4 sm:grid-cols-2">
            <div>
              <dt className="muted">{kind === 'pickup' ? 'Pick-up' : 'Delivery'}</dt>
              <dd className="wrap-anywhere">
                <b className="font-semibold">{slotText(slot)}</b>
                {kind === 'pickup' && <PickUpPlace />}
                {address && (
                  <span className="block">
                    {address.street}, {address.suburb} {address.state} {address.postcode}
                  </span>
                )}
              </dd>
            </div>
            {contact && (
              <div>
                <dt className="muted">For</dt>
                <dd className="wrap-anywhere">
                  {contact.fname} {contact.lname}
                  <span className="block">{contact.email}</span>
                  <span className="block">{contact.phone}</span>
                </dd>
              </div>
            )}
            {note && (
              <div>
                <dt className="muted">Note</dt>
                <dd className="wrap-anywhere">{note}</dd>
              </div>
            )}
          </dl>
          <OrderLines order={waiting} boxes={{ value: [], error: null }} />
        </div>
        <section aria-label="Totals" className="self-start rounded-lg bg-ice p-5 sm:p-6">
          <OrderTotals totals={totals} agreed={totals.total} coupon={waiting.coupon} />
        </section>
      </div>
    </div>
  )
}
