import { ShopError } from '@befaqt/domain/errors'
import { refusedField } from '@befaqt/domain/field-labels'
import {
  nextMoment,
  readSchedule,
  replanned,
  type ScheduleChange,
  type Scheduled,
} from '@befaqt/domain/schedule'
import type { Db, Tx } from '#server/db/client.ts'
import { enqueueAll } from '#server/jobs/queue.ts'

/** What those who plan need: the clock, and the market's zone, in which moments are typed. */
export type Planning = { now: () => Date; siteFile: { market: { timeZone: string } } }

/**
 * The product with a change of its plan, which may begin at once. Another plan than before takes back a markdown that
 * goes on; a discount that is set in the same change stays.
 * @param isDiscountTyped the row has a discount that was set in the same change
 * @throws ShopError `input.invalid` with every moment that can't be, by its path
 */
export function withPlan<Row extends Scheduled>(
  row: Row,
  change: ScheduleChange | undefined,
  { now, siteFile }: Planning,
  isDiscountTyped = false,
): Row & { dueAt: Date | null } {
  if (change === undefined) return { ...row, dueAt: nextMoment(row.schedule) }
  const { plan, wrong } = readSchedule(change, {
    now: now().getTime(),
    timeZone: siteFile.market.timeZone,
  })
  if (plan.sale?.from && row.priceCents === 0)
    wrong.push({ path: 'schedule.sale.from', message: 'needs a price: at 0.00 it would not go on sale' })
  const [first] = wrong
  if (first) throw new ShopError('input.invalid', refusedField(first.path, first.message), { fields: wrong })
  const planned = replanned(row, plan, now().getTime(), isDiscountTyped)
  return { ...planned, dueAt: nextMoment(planned.schedule) }
}

/** The queue of moments at which schedules move something. One job for each moment, in all processes. */
export const SCHEDULE_QUEUE = 'catalogue.schedule'

/** Has what is planned carried out at these moments, once this is committed. */
export async function enqueueDue(tx: Db | Tx, moments: readonly (Date | null)[], now: Date): Promise<void> {
  const times = new Set(moments.flatMap((moment) => moment?.getTime() ?? []))
  const jobs = [...times].map((at) => ({
    payload: {},
    uniqueKey: new Date(at).toISOString(),
    delayMs: Math.max(0, at - now.getTime()),
  }))
  await enqueueAll(tx, SCHEDULE_QUEUE, jobs)
}
