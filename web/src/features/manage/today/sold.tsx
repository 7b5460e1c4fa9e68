import type { DeskToday } from '@befaqt/domain/api/today-api'
import { dayText } from '@befaqt/domain/moment-text'
import { kilogramsText } from '../order/order-parts.tsx'
import { dollars } from '../report/report-parts.tsx'
import { Panel } from './panel.tsx'

/** What the orders of today come to, each beside the same weekday a week before. */
export function Sold({ sold, soldBefore }: Pick<DeskToday, 'sold' | 'soldBefore'>) {
  const before = dayText(soldBefore.day)
  return (
    <Panel id="sold" title={`Orders for today, ${dayText(sold.day)}`}>
      <dl className="grid grid-cols-3 gap-x-3 rounded-lg border border-line bg-surface p-3 sm:gap-x-6 sm:p-4">
        <Figure label="Orders" now={sold.orders} then={soldBefore.orders} text={String} before={before} />
        <Figure
          label="Weight"
          now={sold.grams}
          then={soldBefore.grams}
          text={kilogramsText}
          before={before}
        />
        <Figure label="Revenue" now={sold.revenue} then={soldBefore.revenue} text={dollars} before={before} />
      </dl>
    </Panel>
  )
}

type FigureProps = {
  label: string
  now: number
  then: number
  text: (value: number) => string
  before: string
}

function Figure({ label, now, then, text, before }: FigureProps) {
  const most = Math.max(now, then, 1)
  return (
    <div className="min-w-0">
      <dt className="font-semibold muted">{label}</dt>
      <dd className="text-lg tabular-nums sm:text-2xl">{text(now)}</dd>
      <dd>
        <svg className="my-1 block h-3 w-full" aria-hidden="true">
          <rect width={`${(now / most) * 100}%`} height="5" rx="1" className="fill-teal" />
          <rect y="7" width={`${(then / most) * 100}%`} height="5" rx="1" className="fill-edge" />
        </svg>
        <span className="block muted">
          {before}: <span className="block tabular-nums">{text(then)}</span>
        </span>
      </dd>
    </div>
  )
}
