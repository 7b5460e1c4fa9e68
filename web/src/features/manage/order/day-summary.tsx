import { amountIn } from '@befaqt/domain/amount'
import type { OrderDay } from '@befaqt/domain/api/order-api'
import { dayText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { orderStates } from '@befaqt/domain/order-states'
import { daysLater } from '@befaqt/domain/slot-rules'
import { Link, useSearchParams } from 'react-router'
import { Alert } from '#web/components/alert.tsx'
import { useToday } from '#web/time/today.ts'
import { withParams } from '../read.ts'
import { amountText, kilogramsText, stateLabels } from './order-parts.tsx'

/** What a day of orders comes to, and what is short. */
export function DaySummary({ summary }: { summary: OrderDay }) {
  const { day, orders, grams, revenue, short } = summary
  const today = useToday()
  const counted = orderStates.filter((state) => state !== 'CANCELLED' && orders[state] > 0)
  const total = counted.reduce((sum, state) => sum + orders[state], 0)
  const states = counted.map((state) => `${orders[state]} ${stateLabels[state]}`).join(', ')
  const cancelled = orders.CANCELLED > 0 ? `${orders.CANCELLED} cancelled` : ''
  return (
    <section
      aria-labelledby="day"
      className="mb-6 rounded-lg border border-line bg-surface px-4 py-3 sm:px-6"
    >
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6">
        <h2 id="day" className="text-xl">
          {day === today ? 'Today, ' : ''}
          {dayText(day)}
        </h2>
        <DayLinks day={day} today={today} />
      </div>
      <dl className="grid grid-cols-3 gap-x-4 sm:gap-x-8">
        <Metric label="Orders" value={String(total)} more={[states, cancelled].filter(Boolean).join('; ')} />
        <Metric label="Weight" value={kilogramsText(grams)} more="as weighed, else as ordered" />
        <Metric label="Revenue" value={formatDollars(cents(revenue))} more="without cancelled orders" />
      </dl>
      {short.length > 0 && (
        <Alert tone="warn" className="mt-4">
          <p className="font-semibold">The boxes have too little for what is to be packed:</p>
          <ul>
            {short.map(({ product_id, title, unit, needed, left }) => (
              <li key={product_id}>
                {title}: {amountText(amountIn(unit, needed), unit)} needed,{' '}
                {amountText(amountIn(unit, left), unit)} left
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </section>
  )
}

type MetricProps = { label: string; value: string; more: string }

const Metric = ({ label, value, more }: MetricProps) => (
  <div>
    <dt className="font-semibold muted">{label}</dt>
    <dd className="text-xl tabular-nums">{value}</dd>
    {more && <dd className="muted">{more}</dd>}
  </div>
)

/** To the days before and after; the list below shows that day, too. */
function DayLinks({ day, today }: { day: string; today: string }) {
  const [params] = useSearchParams()
  const link = (to: string, label: string) => (
    <Link to={withParams(params, { day: to })} preventScrollReset className="link tap">
      {label}
    </Link>
  )
  return (
    <nav aria-label="Days" className="flex flex-wrap gap-x-5">
      {link(daysLater(day, -1), 'Day before')}
      {day !== today && today && link(today, 'Today')}
      {link(daysLater(day, 1), 'Day after')}
    </nav>
  )
}
