import { z } from 'zod'
import { schemaNames } from './fields.ts'
import { instantOf, isSkippedTime } from './market-time.ts'
import type { Status } from './statuses.ts'

/* When a product goes on and off sale, and when a discount starts and ends. Source: decision 0106. */

/** How far ahead a moment may be. */
export const MAX_AHEAD_DAYS = 731

const Moment = z.string().nullable()
const span = { from: Moment, until: Moment }

/** What is planned of a product. Moments are RFC 3339, in UTC; null: at once, or without end. */
export const Schedule = z
  .strictObject({
    /** It becomes ACTIVE at `from`, and INACTIVE at `until`. */
    sale: z.strictObject(span).nullable(),
    /** `before`: the discount that comes back at `until`; null: it has not begun. */
    markdown: z.strictObject({ ...span, percent: z.int(), before: z.int().nullable() }).nullable(),
  })
  .register(schemaNames, { id: 'Schedule' })
export type Schedule = z.infer<typeof Schedule>

export const noSchedule: Schedule = { sale: null, markdown: null }

const moment = z.string().trim().max(40).nullable().default(null)
const typedSpan = { from: moment, until: moment }
const percent = 'percent must be a whole number from 1 to 100'

/**
 * A change of what is planned; what is absent stays. Moments are market time, `YYYY-MM-DD HH:MM`, or RFC 3339; of an hour
 * that the clocks go through twice, market time names the first.
 */
export const ScheduleChange = z.strictObject({
  sale: z.strictObject(typedSpan).nullable().optional(),
  markdown: z
    .strictObject({ ...typedSpan, percent: z.int(percent).min(1, percent).max(100, percent) })
    .nullable()
    .optional(),
})
export type ScheduleChange = z.infer<typeof ScheduleChange>

type Clock = { now: number; timeZone: string }
type WrongMoment = { path: string; message: string }

/** The instant of a moment as it was typed; an empty text is none. Or what is wrong with it. */
function readMoment(text: string | null, { now, timeZone }: Clock): { at: number | null } | string {
  if (text === null || text === '') return { at: null }
  const local = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?$/.exec(text)
  const time = local ? `${local[1]} ${local[2]}${local[3] ?? ':00'}` : text
  const at = instantOf(time, timeZone)
  if (at === undefined) return 'write a date and time, like 2026-11-27 18:00'
  if (isSkippedTime(time, timeZone)) return 'must be a time that exists: the clocks go forward over this one'
  return at > now + MAX_AHEAD_DAYS * 86_400_000 ? 'must be within two years' : { at }
}

/** A change with its moments as instants, or all that is wrong with it, by path. */
export function readSchedule(
  change: ScheduleChange,
  clock: Clock,
): { plan: Partial<Schedule>; wrong: WrongMoment[] } {
  const wrong: WrongMoment[] = []
  const read = (kind: 'sale' | 'markdown', asked: { from: string | null; until: string | null }) => {
    const ends = (['from', 'until'] as const).map((end) => {
      const found = readMoment(asked[end], clock)
      if (typeof found !== 'string') return found.at
      wrong.push({ path: `schedule.${kind}.${end}`, message: found })
      return null
    })
    const [from = null, until = null] = ends
    const path = `schedule.${kind}.until`
    if (from !== null && until !== null && from >= until)
      wrong.push({ path, message: 'must be after the start' })
    else if (until !== null && until <= clock.now) wrong.push({ path, message: 'is over already' })
    const text = (at: number | null) => (at === null ? null : new Date(at).toISOString())
    return { from: text(from), until: text(until) }
  }
  const plan: Partial<Schedule> = {}
  if (change.sale !== undefined) {
    const sale = change.sale && read('sale', change.sale)
    plan.sale = sale?.from || sale?.until ? sale : null
  }
  if (change.markdown !== undefined) {
    const markdown = change.markdown && {
      ...read('markdown', change.markdown),
      percent: change.markdown.percent,
    }
    if (markdown?.from === null && markdown.until === null && wrong.length === 0)
      wrong.push({ path: 'schedule.markdown.until', message: 'say when it starts or ends' })
    plan.markdown = markdown && { ...markdown, before: null }
  }
  return { plan, wrong }
}

/** What of a product a schedule moves. */
export type Scheduled = { status: Status; discount: number; priceCents: number; schedule: Schedule }

const isDue = (moment: string | null, now: number): boolean => moment !== null && Date.parse(moment) <= now

/**
 * A product as its schedule has it at `now`, however late that is asked and however often. What was over before it was
 * asked never was. Only what is INACTIVE goes on sale, and nothing for nothing; a discount that somebody has set by hand
 * meanwhile stays.
 */
export function followed<Row extends Scheduled>(row: Row, now: number): Row {
  const { priceCents, schedule } = row
  let { status, discount } = row
  let { sale, markdown } = schedule
  if (sale && isDue(sale.from, now)) {
    if (status === 'INACTIVE' && priceCents > 0) status = 'ACTIVE'
    sale = { ...sale, from: null }
  }
  if (sale && isDue(sale.until, now)) {
    if (status === 'ACTIVE') status = 'INACTIVE'
    sale = null
  }
  if (sale?.from === null && sale.until === null) sale = null
  if (markdown && isDue(markdown.until, now)) {
    if (markdown.before !== null && discount === markdown.percent) discount = markdown.before
    markdown = null
  } else if (markdown && markdown.before === null && (markdown.from === null || isDue(markdown.from, now))) {
    markdown = markdown.until === null ? null : { ...markdown, before: discount }
    discount = schedule.markdown?.percent ?? discount
  }
  return { ...row, status, discount, schedule: { sale, markdown } }
}

const asPlanned = (markdown: Schedule['markdown']): string =>
  JSON.stringify(markdown && [markdown.from, markdown.until, markdown.percent])

/**
 * A product with another plan from now on. A markdown that goes on is taken back first, unless its discount was set by
 * hand: the new one begins from the price that was there before it.
 * @param isByHand the row has a discount that was set together with the plan
 */
export function replanned<Row extends Scheduled>(
  row: Row,
  plan: Partial<Schedule>,
  now: number,
  isByHand = false,
): Row {
  const { sale = row.schedule.sale, markdown = row.schedule.markdown } = plan
  const old = row.schedule.markdown
  const isSame = asPlanned(markdown) === asPlanned(old)
  const isRunning = !isByHand && old !== null && old.before !== null && row.discount === old.percent
  const discount = !isSame && isRunning ? (old.before ?? row.discount) : row.discount
  return followed({ ...row, discount, schedule: { sale, markdown: isSame ? old : markdown } }, now)
}

/** The next moment at which a schedule moves something; null: none. */
export function nextMoment({ sale, markdown }: Schedule): Date | null {
  const begins = markdown?.before === null ? markdown.from : null
  const all = [sale?.from, sale?.until, begins, markdown?.until].flatMap((moment) => (moment ? [moment] : []))
  return all.length === 0 ? null : new Date(Math.min(...all.map((moment) => Date.parse(moment))))
}
