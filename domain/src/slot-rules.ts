import { z } from 'zod'
import { DAY_MS, MINUTE_MS } from './durations.ts'
import { paragraph } from './fields.ts'
import { MAX_CUT_OFF_MINUTES, MAX_REASON } from './limits.ts'
import { instantOf, isMarketTime } from './market-time.ts'
import { isTimeZone, Postcodes, SlotCapacity } from './order.ts'
import { fulfilmentKinds } from './order-states.ts'

/** Days ahead, with today, for which rules make slots. */
export const SLOT_DAYS = 14

const TimeOfDay = z
  .string('must be a time of day')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, as 08:30')

/** Days of the week as ISO 8601 counts them: Monday is 1, Sunday 7. */
const Weekdays = z
  .array(z.int().min(1).max(7), 'choose a day of the week')
  .min(1, 'choose a day of the week')
  .transform((days) => [...new Set(days)].sort((a, b) => a - b))

/** A calendar date, `YYYY-MM-DD`. */
export const CalendarDay = z
  .string('must be a date')
  .refine((day) => isMarketTime(`${day} 00:00:00`), 'must be a date, as 2026-12-25')

/** A weekly rule that makes slots. Times of day are those of its zone; `area`: the postcodes of a delivery. */
export const SlotRuleInput = z
  .strictObject({
    kind: z.enum(fulfilmentKinds, 'kind must be pickup or delivery'),
    weekdays: Weekdays,
    from: TimeOfDay,
    to: TimeOfDay,
    timeZone: z.string().max(60).refine(isTimeZone, 'timeZone must be an IANA time zone').optional(),
    area: Postcodes.optional(),
    capacity: SlotCapacity,
    /** Minutes before the start from which no orders are taken. */
    cutOffMinutes: z
      .number('cutOffMinutes must be a number')
      .int('must be whole minutes')
      .min(0, 'must be at least 0')
      .max(MAX_CUT_OFF_MINUTES, `must be at most ${MAX_CUT_OFF_MINUTES}`),
    version: z.int('version must be a whole number').optional(),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be after from' })
  .refine(({ kind, area }) => (kind === 'delivery') === (area !== undefined), {
    path: ['area'],
    error: 'is for delivery slots, which need it',
  })
export type SlotRuleInput = z.infer<typeof SlotRuleInput>

/** A day on which no rule makes slots. */
export const ClosedDayInput = z.strictObject({
  day: CalendarDay,
  reason: paragraph('reason', MAX_REASON).default(''),
})
export type ClosedDayInput = z.infer<typeof ClosedDayInput>

/** What of a rule says when its slots are. */
type Weekly = {
  weekdays: readonly number[]
  from: string
  to: string
  timeZone: string
  cutOffMinutes: number
}

/** A slot as a rule says it is, in milliseconds since 1970. */
export type DueSlot = { day: string; startsAt: number; endsAt: number; cutOffAt: number }

/** Day of the week of a date, Monday 1 to Sunday 7. @param day `YYYY-MM-DD` */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** The date so many days later. Dates have no zone, so no change of an offset can skip or repeat one. */
export const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/**
 * The slot of a rule on a date; null: none on this day of the week. Times of day that daylight saving skips are read
 * with the offset before the change; a slot that would end before it starts by that is left out.
 */
export function slotOn(rule: Weekly, day: string): DueSlot | null {
  if (!rule.weekdays.includes(weekdayOf(day))) return null
  const startsAt = instantOf(`${day} ${rule.from}:00`, rule.timeZone)
  const endsAt = instantOf(`${day} ${rule.to}:00`, rule.timeZone)
  if (startsAt === undefined || endsAt === undefined || endsAt <= startsAt) return null
  return { day, startsAt, endsAt, cutOffAt: startsAt - rule.cutOffMinutes * MINUTE_MS }
}

/** The slots of a rule on `SLOT_DAYS` dates from `today` on that start after `now`. */
export function dueSlots(
  rule: Weekly,
  { today, now, closed }: { today: string; now: number; closed: ReadonlySet<string> },
): DueSlot[] {
  return Array.from({ length: SLOT_DAYS }, (_, i) => daysLater(today, i)).flatMap((day) => {
    const slot = closed.has(day) ? null : slotOn(rule, day)
    return slot === null || slot.startsAt <= now ? [] : [slot]
  })
}
