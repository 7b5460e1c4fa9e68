import { momentOf } from '@befaqt/domain/moment-text'
import { Button } from '#web/components/button.tsx'
import { useNow } from '#web/time/now.ts'
import { useMarketZone } from '#web/time/time.tsx'
import type { Hold } from './use-hold.ts'

const MINUTE_MS = 60_000

type Props = {
  hold: Hold | null
  /** A time is chosen and not kept, since it is not said who it is for. */
  timeIsOpen: boolean
  onRenew: () => void
}

/**
 * Until when the stock is held for this shopper, and at the end the button that renews the hold. Nothing without a
 * hold.
 */
export function HoldLine({ hold, timeIsOpen, onRenew }: Props) {
  const zone = useMarketZone()
  const now = useNow(new Date().toISOString())
  if (!hold?.expiresAt) return <p className="min-h-11" />
  const isOver = Date.parse(hold.expiresAt) < now + MINUTE_MS
  return (
    <p role="status" className="flex min-h-11 flex-wrap items-center gap-x-3 text-slate text-sm">
      {isOver ? (
        <>
          The time for which we keep it for you is ending.
          <Button variant="link" onClick={onRenew}>
            Keep it for 15 more minutes
          </Button>
        </>
      ) : (
        `Kept for you until ${momentOf(hold.expiresAt, zone)?.clock}.${timeIsOpen ? ' The time you chose is kept once name, email and phone are filled in.' : ''}`
      )}
    </p>
  )
}
