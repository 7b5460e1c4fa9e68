import { instantOf, marketTime } from './market-time.ts'

/** A date as people say it: 'Mon 30 Nov'. @param date `YYYY-MM-DD` */
export function dayText(date: string): string {
  // 'Mon, 30 Nov 2026 00:00:00 GMT' in every language: ECMAScript says so.
  const [weekday = '', day = '', month = ''] = new Date(date).toUTCString().split(/,? /)
  return `${weekday} ${Number(day)} ${month}`
}

/** A time of day as people say it: '7:40 pm'. @param clock `HH:MM…` */
export function clockText(clock: string): string {
  const hour = Number(clock.slice(0, 2))
  return `${hour % 12 || 12}:${clock.slice(3, 5)} ${hour < 12 ? 'am' : 'pm'}`
}

type Moment = { date: string; day: string; clock: string }

/** A moment in a zone: its date, and day and time of day as people say them. Of text that is no time: null. */
export function momentOf(at: string | null, timeZone: string): Moment | null {
  const instant = at === null ? undefined : instantOf(at, timeZone)
  if (instant === undefined) return null
  const local = marketTime(instant, timeZone)
  const date = local.slice(0, 10)
  return { date, day: dayText(date), clock: clockText(local.slice(11)) }
}

/**
 * 'Tue 17 Nov, 7:40 pm'; of another year than `today`'s 'Mon 17 Nov 2025, 7:40 pm'; nothing of text that is no time.
 * @param today date in market time, `YYYY-MM-DD`
 */
export function momentText(at: string | null, timeZone: string, today = ''): string {
  const moment = momentOf(at, timeZone)
  if (!moment) return ''
  const year = moment.date.slice(0, 4)
  const isNear = today === '' || today.startsWith(year)
  return `${moment.day}${isNear ? '' : ` ${year}`}, ${moment.clock}`
}

type Slot = { startsAt: string | null; endsAt: string | null; timeZone: string }

/** '7:00 am to 10:00 am', in the slot's own zone. One that ends on another day says which. */
export function slotHours({ startsAt, endsAt, timeZone }: Slot): string {
  const [start, end] = [momentOf(startsAt, timeZone), momentOf(endsAt, timeZone)]
  const until = end && end.date !== start?.date ? `${end.day}, ${end.clock}` : end?.clock
  return `${start?.clock ?? 'unknown'} to ${until ?? 'unknown'}`
}

/** 'Tue 17 Nov, 7:00 am to 10:00 am', in the slot's own zone. */
export const slotText = (slot: Slot): string =>
  `${momentOf(slot.startsAt, slot.timeZone)?.day ?? 'unknown day'}, ${slotHours(slot)}`
