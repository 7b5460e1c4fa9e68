import { shownTime } from '@befaqt/domain/market-time'
import { dayText } from './day.ts'

/** A time of day as people say it: '7:40 pm'. @param clock `HH:MM` of 24 hours */
export function clockText(clock: string): string {
  const [hours = 0, minutes = ''] = [Number(clock.slice(0, 2)), clock.slice(3, 5)]
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'am' : 'pm'}`
}

/** A moment in its zone: 'Tue 24 Nov, 7:40 pm'. Empty for none. @param at RFC 3339 */
export function momentText(at: string | null, timeZone: string): string {
  if (at === null) return ''
  const { date, time } = shownTime(at, timeZone)
  return `${dayText(date)}, ${clockText(time)}`
}

type Times = { startsAt: string | null; endsAt: string | null; timeZone: string }

/** When a slot is: 'Tue 24 Nov, 8:00 am to 10:00 am'. One that ends on another day says which. */
export function slotText({ startsAt, endsAt, timeZone }: Times): string {
  const [start, end] = [startsAt, endsAt].map((at) => shownTime(at ?? '', timeZone))
  const until = start?.date === end?.date ? clockText(end?.time ?? '') : momentText(endsAt, timeZone)
  return `${momentText(startsAt, timeZone)} to ${until}`
}
