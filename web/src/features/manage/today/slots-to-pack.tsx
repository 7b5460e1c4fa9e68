import type { DeskToday } from '@befaqt/domain/api/today-api'
import { slotText } from '@befaqt/domain/moment-text'
import { mayAtDesk } from '@befaqt/domain/rights'
import { Link } from 'react-router'
import { ButtonLink } from '#web/components/button.tsx'
import { useViewer } from '#web/root-data.ts'
import { useNow } from '#web/time/today.ts'
import { kindLabels } from '../order/order-parts.tsx'
import { packingPath, slotPath } from '../paths.ts'
import { Panel, rowsClass } from './panel.tsx'

type Slot = DeskToday['slots'][number]

const MINUTE_MS = 60_000

/** How long something is away: '40 min', '3 h 05 min', '2 days'. @param ms not negative */
function away(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS)
  if (minutes < 60) return `${minutes} min`
  if (minutes >= 48 * 60) return `${Math.floor(minutes / (24 * 60))} days`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

/** Until when orders come, and after that how long until they are fetched. */
function timeLeft({ cutOffAt, startsAt }: Slot, now: number): { words: string; isLate: boolean } {
  const [cutOff, start] = [Date.parse(cutOffAt) - now, Date.parse(startsAt) - now]
  if (cutOff > 0) return { words: `cut-off in ${away(cutOff)}`, isLate: false }
  if (start > 0) return { words: `starts in ${away(start)}`, isLate: false }
  return { words: `began ${away(-start)} ago`, isLate: true }
}

/** Orders to pack by slot, the first one first; on an empty day, what to do first. */
export function SlotsToPack({ slots, readAt, missing }: Pick<DeskToday, 'slots' | 'readAt' | 'missing'>) {
  const now = useNow(readAt)
  const mayPack = mayAtDesk(useViewer(), 'order:write')
  return (
    <Panel id="to-pack" title="To pack">
      {slots.length === 0 ? (
        <NothingToPack missing={missing} />
      ) : (
        <ul className={rowsClass}>
          {slots.map((slot) => {
            const { words, isLate } = timeLeft(slot, now)
            return (
              <li key={slot._id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
                <Link to={slotPath(slot._id)} className="min-w-0 flex-1 basis-60 py-1 hover:text-teal">
                  <span className="block font-semibold">{slotText(slot)}</span>
                  <span className={`block text-sm ${isLate ? 'font-semibold text-bad' : 'text-slate'}`}>
                    {kindLabels[slot.kind]}, {words}
                  </span>
                </Link>
                <span className="whitespace-nowrap tabular-nums">
                  <b className="font-semibold text-lg">{slot.toPack}</b> of {slot.orders} to pack
                </span>
                <ButtonLink
                  variant="outline"
                  className="px-3"
                  to={mayPack ? packingPath(slot._id) : `/manage/order?status=PLACED&slot=${slot._id}`}
                >
                  {mayPack ? 'Pack' : 'Orders'}
                  <span className="sr-only"> of {slotText(slot)}</span>
                </ButtonLink>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

function NothingToPack({ missing }: Pick<DeskToday, 'missing'>) {
  return (
    <div className="grid justify-items-start gap-3 border-line border-y py-5">
      <p className="text-lg text-slate">
        {missing.length === 0 ? 'Nothing to pack: no order waits.' : 'The shop can’t take orders yet.'}
      </p>
      {missing.includes('products') && (
        <ButtonLink variant="outline" to="/manage/product">
          Add what you sell
        </ButtonLink>
      )}
      {missing.includes('slots') && (
        <ButtonLink variant="outline" to="/manage/slot">
          Set times for pick-up and delivery
        </ButtonLink>
      )}
      {missing.length === 0 && (
        <Link to="/manage/order?status=all" className="link tap">
          Orders of other days
        </Link>
      )}
    </div>
  )
}
