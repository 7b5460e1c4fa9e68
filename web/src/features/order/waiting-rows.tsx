import type { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { momentText, slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { Link } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { useMarketZone } from '#web/time/time.tsx'
import WaitingActions from './waiting-actions.tsx'

type Props = { rows: readonly WaitingOrder[]; onDropped: (id: string) => void }

/** Large first orders of an account that wait: until when, and what confirms them. They have no number yet. */
export const WaitingRows = ({ rows, onDropped }: Props) => (
  <section aria-labelledby="waiting-orders" className="mt-6 mb-10 max-w-4xl">
    <h2 id="waiting-orders" className="mb-2 text-2xl">
      Not confirmed yet
    </h2>
    <ul className="border-line border-t">
      {rows.map((waiting) => (
        <Row key={waiting._id} waiting={waiting} onDropped={() => onDropped(waiting._id)} />
      ))}
    </ul>
  </section>
)

function Row({ waiting, onDropped }: { waiting: WaitingOrder; onDropped: () => void }) {
  const zone = useMarketZone()
  const { _id, kind, slot, totals, lines, createdAt } = waiting
  return (
    <li data-row={_id} className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-b py-4">
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1">
        <div className="min-w-0">
          <h3 className="text-xl">
            <Link
              to={`/user/order/${_id}`}
              data-action="open"
              className="link inline-flex min-h-11 items-center"
            >
              Order of {momentText(createdAt, zone)}
            </Link>
          </h3>
          <p className="text-slate">
            {kind === 'pickup' ? 'Pick-up' : 'Delivery'} {slotText(slot)}
          </p>
        </div>
        <div className="grid content-start justify-items-end gap-1 max-sm:basis-full max-sm:justify-items-start">
          <Badge tone="warn">Waiting</Badge>
          <p>
            <b className="font-semibold">{formatDollars(cents(totals.total))}</b>
            <span className="text-slate">
              , {lines.length} {lines.length === 1 ? 'product' : 'products'}
            </span>
          </p>
        </div>
      </div>
      <WaitingActions waiting={waiting} linkKey={null} confirm={null} onDropped={onDropped} />
    </li>
  )
}
