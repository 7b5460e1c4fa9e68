import { instantOf, MARKET_TIME_ZONE, marketTime, shownTime } from '@befaqt/domain/market-time'
import { momentText } from '@befaqt/domain/moment-text'
import { useSite } from '#web/root-data.ts'
import { useToday } from './today.ts'
import { zoneName } from './zone-name.ts'

/** The market's time zone, in which every time is shown. */
export const useMarketZone = (): string => useSite()?.market.timeZone ?? MARKET_TIME_ZONE

/** A record's time as date then HH:MM. Source: spec §9. */
export function formatTime(text: string, timeZone: string): string {
  const { date, time } = shownTime(text, timeZone)
  return time ? `${date} ${time}` : date
}

/** How far the market's clocks are ahead of UTC at an instant; both in milliseconds. */
export const marketOffset =
  (timeZone: string) =>
  (instant: number): number => {
    const second = Math.floor(instant / 1000) * 1000
    return Date.parse(`${marketTime(second, timeZone).replace(' ', 'T')}Z`) - second
  }

/** The zone of the times on a page: named once, beside the first. */
export function MarketZone() {
  return <span className="muted">{zoneName(useMarketZone())}</span>
}

/** A time as the specification's fields have it, in market time, for people and for machines. */
export const Time = ({ at }: { at: string }) => <TimeText at={at} text={formatTime(at, useMarketZone())} />

/**
 * A time as people say it, 'Tue 17 Nov, 7:40 pm', of another year with that, in market time. Text that is no time stays as
 * it is.
 */
export const Moment = ({ at }: { at: string }) => (
  <TimeText at={at} text={momentText(at, useMarketZone(), useToday()) || at} />
)

function TimeText({ at, text }: { at: string; text: string }) {
  const zone = useMarketZone()
  const instant = instantOf(at, zone)
  if (instant === undefined) return text
  return (
    <time dateTime={new Date(instant).toISOString()} title={zoneName(zone)}>
      {text}
    </time>
  )
}
