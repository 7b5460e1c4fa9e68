import { urlOf } from '@befaqt/domain/api/endpoint'
import {
  exportOriginProof,
  readCalendar,
  readInvoice,
  readOriginProof,
} from '@befaqt/domain/api/endpoints/order-page'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { momentText } from '@befaqt/domain/moment-text'
import { wayAfter } from '@befaqt/domain/order-states'
import { Icon } from '#web/components/icon.tsx'
import { MarketZone, useMarketZone } from '#web/time/time.tsx'
import { type ActionProps, callInput, useFreshOrder } from './order-calls.ts'
import { statusLabel } from './order-status.tsx'

/** What happened to an order and when, and what comes next; kept up to date while something may. */
export function OrderProgress({ order }: { order: OrderView }) {
  const zone = useMarketZone()
  const { events, kind, status } = order
  useFreshOrder(status)
  return (
    <section aria-labelledby="progress">
      <h2 id="progress" className="mb-3 text-2xl">
        Progress <MarketZone />
      </h2>
      <ol className="grid gap-2">
        {events.map((event) => (
          <li key={`${event.happenedAt} ${event.status} ${event.reason}`} className="flex gap-3">
            <Icon
              name={event.status === 'CANCELLED' ? 'close' : 'check'}
              className={`mt-0.5 size-5 ${event.status === 'CANCELLED' ? 'text-bad' : 'text-good'}`}
            />
            <span className="min-w-0 wrap-anywhere">
              <b className="font-semibold">{statusLabel(event.status, kind)}</b>
              <span className="block muted">
                {momentText(event.happenedAt, zone)}
                {event.reason && `: ${event.reason}`}
              </span>
            </span>
          </li>
        ))}
        {wayAfter(status, kind).map((step) => (
          <li key={step} className="no-print flex gap-3 text-slate">
            <span
              aria-hidden="true"
              className="mt-1.5 ml-1 size-3 shrink-0 rounded-full border border-edge"
            />
            <span className="ml-1">{statusLabel(step, kind)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** What restaurants and bookkeepers keep of an order. The invoice is one once the shop has given it a number. */
export function OrderDocuments(props: ActionProps) {
  const documents = [
    [
      readCalendar,
      props.order.status === 'CANCELLED' ? 'Take it out of the calendar' : 'Put it into a calendar',
    ],
    [readInvoice, props.order.invoiceNumber === null ? 'Statement of the order (PDF)' : 'Invoice (PDF)'],
    [readOriginProof, 'Proof of origin (PDF)'],
    [exportOriginProof, 'Proof of origin (CSV)'],
  ] as const
  return (
    <ul aria-label="Documents" className="basis-full">
      {documents.map(([endpoint, title]) => (
        <li key={title}>
          <a href={urlOf(endpoint, callInput(props))} className="link tap">
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}
