import type { NextSlot } from '@befaqt/domain/api/order-api'
import { momentOf, momentText, slotHours } from '@befaqt/domain/moment-text'
import { useSite } from '#web/root-data.ts'
import { daysAway } from '#web/time/days-away.ts'
import { useNow } from '#web/time/now.ts'
import { useToday } from '#web/time/today.ts'

type TimeProps = { slot: NextSlot; today: string }

/** 'Today, 4:00 pm to 6:00 pm', and until when it can be chosen. */
function Time({ slot, today }: TimeProps) {
  const { startsAt, cutOffAt, timeZone } = slot
  const [start, cutOff] = [momentOf(startsAt, timeZone), momentOf(cutOffAt, timeZone)]
  const away = start && daysAway(today, start.date)
  const isNear = away === 'today' || away === 'tomorrow'
  return (
    <>
      <b className="inline-block font-semibold first-letter:uppercase">
        {isNear ? away : start?.day}, {slotHours(slot)}
      </b>{' '}
      <span className="text-slate">
        order until {cutOff?.date === today ? cutOff.clock : momentText(cutOffAt, timeZone)}
      </span>
    </>
  )
}

/**
 * The next time of each kind, as of now: once its cut-off is past, the one after it, also on a page that stays open.
 * @param slots the next ones of each kind, the earliest first
 */
export function NextTimes({ slots }: { slots: readonly NextSlot[] }) {
  const site = useSite()
  const now = useNow(site?.asOf ?? '')
  const today = useToday()
  if (slots.length === 0) return <p>No time for pick-up or delivery is open just now.</p>
  return (
    <dl className="grid gap-x-8 gap-y-2 max-sm:text-sm sm:grid-cols-2">
      {[...Map.groupBy(slots, ({ kind }) => kind)].map(([kind, own]) => {
        const next = own.find(({ cutOffAt }) => Date.parse(cutOffAt ?? '') > now)
        const to = next?.postcodes ? ` to ${next.postcodes} postcodes` : ''
        return (
          <div key={kind}>
            <dt className="text-slate">
              {kind === 'pickup' ? `Pick-up at ${site?.market.name}` : `Delivery${to}, at no charge`}
            </dt>
            <dd>{next ? <Time slot={next} today={today} /> : 'The checkout shows the next time.'}</dd>
          </div>
        )
      })}
    </dl>
  )
}
