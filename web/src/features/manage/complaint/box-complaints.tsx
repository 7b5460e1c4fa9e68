import type { BoxComplaint } from '@befaqt/domain/api/complaint-api'
import { Link } from 'react-router'
import { Badge } from '#web/components/badge.tsx'
import { wrongText } from '#web/features/order/complaint/told.tsx'
import { Moment } from '#web/time/time.tsx'
import { managedOrderPath } from '../paths.ts'

/** What buyers say of the freshness of a box, those first at which nobody has looked. Recall and sale are below. */
export function BoxComplaints({ complaints }: { complaints: readonly BoxComplaint[] }) {
  if (complaints.length === 0) return null
  return (
    <section aria-labelledby="box-complaints" className="grid gap-2">
      <h2 id="box-complaints" className="text-xl">
        Complaints
      </h2>
      <ul className="divide-y divide-line border-line border-y">
        {complaints.map(({ _id, wrong, titles, order, createdAt, checked }) => (
          <li key={_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            {checked === null ? <Badge tone="bad">look at it</Badge> : <Badge tone="good">looked at</Badge>}
            <span>
              {titles.join(', ')}: {wrongText(wrong)}
            </span>
            <span className="muted">
              <Moment at={createdAt} />
            </span>
            <Link to={`${managedOrderPath(order._id)}#complaints`} className="link tap tabular-nums">
              {order.number}
            </Link>
            {checked && (
              <span className="basis-full text-sm wrap-anywhere">
                {checked.who}: {checked.found}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
