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

/** Postcodes of a range that is written out; a longer one is a slip of the keyboard. */
const MAX_RANGE = 1_000

/** '2007-2011' written out; anything else as it was typed, for the schema to refuse. */
function postcodesIn(entry: string): string[] {
  const [, from, to] = /^(\d{4})[-–](\d{4})$/.exec(entry) ?? []
  const more = Number(to) - Number(from)
  if (from === undefined || !(more >= 0 && more < MAX_RANGE)) return [entry]
  return Array.from({ length: more + 1 }, (_, i) => String(Number(from) + i).padStart(4, '0'))
}

/** Postcodes and ranges of them with white space or commas between; a slot for pick-up has none. */
const areaOf = ({ kind, area }: Values) =>
  kind === 'delivery'
    ? {
        area: String(area ?? '')
          .split(/[\s,;]+/)
          .filter((entry) => entry !== '')
          .flatMap(postcodesIn),
      }
    : {}

/** Postcodes in order, three or more neighbours as a range: '2000', '2007–2011'. */
export function postcodeRanges(area: readonly string[]): string[] {
  const runs: string[][] = []
  for (const code of [...new Set(area)].sort()) {
    const run = runs.at(-1)
    if (run && Number(code) === Number(run.at(-1)) + 1) run.push(code)
    else runs.push([code])
  }
  return runs.flatMap((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run))
}

/** Days of a rule as people say them: 'Every day', 'Mon to Sat', 'Mon, Wed, Sat'. @param days from 1, in order */
export function daysText(days: readonly number[]): string {
  if (days.length === 7) return 'Every day'
  const [first = 1] = days
  const names = days.map((day) => weekdays[day - 1])
  const isRun = days.length > 2 && days.every((day, i) => day === first + i)
  return isRun ? `${names[0]} to ${names.at(-1)}` : names.join(', ')
}

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
  area: postcodeRanges(rule?.area ?? [])
    .join(' ')
    .replaceAll('–', '-'),
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
