import type { SlotRule } from '@befaqt/domain/api/slot-rule-api'
import { instantOf } from '@befaqt/domain/market-time'
import { SlotInput, SlotPatch } from '@befaqt/domain/order'
import { SlotRuleInput } from '@befaqt/domain/slot-rules'
import { parseNumber } from '@befaqt/domain/typed-number'
import { z } from 'zod'
import { recordTime } from '../box/box-forms.ts'

/** Days of the week as rules number them, from 1. */
export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

type Values = Readonly<Record<string, unknown>>

const isValues = (values: unknown): values is Values => typeof values === 'object' && values !== null

/** Postcodes with white space or commas between; a slot for pick-up has none. */
const areaOf = ({ kind, area }: Values) =>
  kind === 'delivery'
    ? {
        area: String(area ?? '')
          .split(/[\s,;]+/)
          .filter((postcode) => postcode !== ''),
      }
    : {}

/** Hours as people type them, in minutes. */
const minutesOf = (hours: unknown): unknown => {
  const number = parseNumber(hours)
  return typeof number === 'number' ? Math.round(number * 60) : number
}

/** A rule as its form sends it: ticked days by their names, the cut-off in hours. */
function ruleValues(values: unknown): unknown {
  if (!isValues(values)) return values
  return {
    kind: values.kind,
    weekdays: weekdays.flatMap((day, i) => (day in values ? [i + 1] : [])),
    from: values.from,
    to: values.to,
    capacity: parseNumber(values.capacity),
    cutOffMinutes: minutesOf(values.cutOffMinutes),
    ...areaOf(values),
  }
}
export const RuleForm = z.preprocess(ruleValues, SlotRuleInput)

/** What the form of a rule begins with, by the names of its fields. */
export const ruleStart = (rule: SlotRule | null) => ({
  kind: rule?.kind ?? 'pickup',
  weekdays: new Set(rule?.weekdays ?? []),
  from: rule?.from ?? '',
  to: rule?.to ?? '',
  area: rule?.area?.join(' ') ?? '',
  capacity: rule ? String(rule.capacity) : '',
  cutOffMinutes: rule ? String(rule.cutOffMinutes / 60) : '2',
})

/** What a date field says in this zone, as RFC 3339; the text itself where it is none, for the schema to refuse. */
export function zonedTime(text: unknown, timeZone: string): unknown {
  const instant = instantOf(recordTime(String(text ?? '')), timeZone)
  return instant === undefined ? text : new Date(instant).toISOString()
}

/** One slot as its form sends it. */
export const slotForm = (timeZone: string) =>
  z.preprocess((values) => {
    if (!isValues(values)) return values
    const [startsAt, endsAt] = [values.from, values.to].map((time) =>
      zonedTime(`${values.day}T${time}`, timeZone),
    )
    return {
      kind: values.kind,
      startsAt,
      endsAt,
      cutOffAt: zonedTime(values.cutOffAt, timeZone),
      capacity: parseNumber(values.capacity),
      timeZone,
      ...areaOf(values),
    }
  }, SlotInput)

/** What may change of a slot, as its form sends it. */
export const slotPatchForm = (timeZone: string) =>
  z.preprocess(
    (values) =>
      isValues(values)
        ? {
            capacity: parseNumber(values.capacity),
            cutOffAt: zonedTime(values.cutOffAt, timeZone),
            closed: 'closed' in values,
          }
        : values,
    SlotPatch,
  )
