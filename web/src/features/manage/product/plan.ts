import { MINUTE_MS } from '@befaqt/domain/durations'
import { instantOf, marketTime } from '@befaqt/domain/market-time'
import { momentText } from '@befaqt/domain/moment-text'
import type { Schedule } from '@befaqt/domain/schedule'
import { parseNumber } from '@befaqt/domain/typed-number'

/** What is planned of a product as its form has it: moments in market time, as their fields write them. */
export type TypedPlan = {
  sale: { from: string | null; until: string | null } | null
  markdown: { from: string | null; until: string | null; percent: unknown } | null
}

export const noPlan: TypedPlan = { sale: null, markdown: null }

const typedMoment = (at: string | null, timeZone: string): string | null =>
  at === null ? null : marketTime(Date.parse(at), timeZone).slice(0, 16).replace(' ', 'T')

/** What the form of a product with this schedule starts with. */
export function typedPlan({ sale, markdown }: Schedule, timeZone: string): TypedPlan {
  const span = (one: { from: string | null; until: string | null }) => ({
    from: typedMoment(one.from, timeZone),
    until: typedMoment(one.until, timeZone),
  })
  return {
    sale: sale && span(sale),
    markdown: markdown && { ...span(markdown), percent: markdown.percent },
  }
}

/** Names of the fields: the paths at which the shop refuses them. */
export const planNames = {
  saleFrom: 'schedule.sale.from',
  saleUntil: 'schedule.sale.until',
  percent: 'schedule.markdown.percent',
  from: 'schedule.markdown.from',
  until: 'schedule.markdown.until',
} as const

/** The plan that these values of a form say; fields that are empty say nothing. */
export function planIn(values: Readonly<Record<string, unknown>>): TypedPlan {
  const text = (name: string) => String(values[name] ?? '').trim() || null
  const [from, until] = [text(planNames.saleFrom), text(planNames.saleUntil)]
  const markdown = {
    from: text(planNames.from),
    until: text(planNames.until),
    percent: text(planNames.percent),
  }
  return {
    sale: from === null && until === null ? null : { from, until },
    markdown: Object.values(markdown).every((value) => value === null)
      ? null
      : { ...markdown, percent: parseNumber(markdown.percent ?? '') },
  }
}

/** A plan in words, as the form or the shop has it. */
export function planText(value: unknown, timeZone: string): string {
  const { sale, markdown }: Partial<TypedPlan> = Object(value)
  const text = (at: string | null | undefined) => {
    const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(at ?? '') ? `${at?.replace('T', ' ')}:00` : at
    return momentText(local ?? null, timeZone)
  }
  const span = (one: { from: string | null; until: string | null }) =>
    [one.from && `from ${text(one.from)}`, one.until && `until ${text(one.until)}`].filter(Boolean).join(' ')
  const parts = [
    ...(sale ? [`on sale ${span(sale)}`] : []),
    ...(markdown ? [`${markdown.percent}%off ${span(markdown)}`] : []),
  ]
  return parts.length === 0 ? 'none' : parts.join('; ')
}

/** Six o'clock of today, or of tomorrow once it has struck, midnight and tomorrow at six: in market time. */
export function usualEnds(now: number, timeZone: string): { value: string; label: string }[] {
  const today = marketTime(now, timeZone).slice(0, 10)
  const day = (ahead: number) => new Date(Date.parse(`${today}T12:00:00Z`) + ahead * 24 * 60 * MINUTE_MS)
  const date = (ahead: number) => day(ahead).toISOString().slice(0, 10)
  return [
    { value: `${today} 18:00`, label: 'six today' },
    { value: `${date(1)} 00:00`, label: 'midnight' },
    { value: `${date(1)} 18:00`, label: 'six tomorrow' },
    { value: `${date(7)} 18:00`, label: 'six in a week' },
  ].filter(({ value }) => (instantOf(`${value}:00`, timeZone) ?? 0) > now + MINUTE_MS)
}
