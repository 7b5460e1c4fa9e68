import { MINUTE_MS } from '@befaqt/domain/durations'
import { followed } from '@befaqt/domain/schedule'
import { isNotNull, sql } from 'drizzle-orm'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { rows } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { products } from '#server/db/schema/shop.ts'
import { SCHEDULE } from '#server/identity/principal.ts'
import type { Recurring } from '#server/jobs/recurring.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { enqueueDue, SCHEDULE_QUEUE } from './plan.ts'
import { type RowChange, writeMany } from './write-many.ts'

const REGULARLY_MS = 10 * MINUTE_MS

/** A look at everything that is due, which makes up for a job that was lost. */
export const regularFollowing: Recurring = {
  queue: SCHEDULE_QUEUE,
  next: (now) => new Date((Math.floor(now.getTime() / REGULARLY_MS) + 1) * REGULARLY_MS),
}

/** Products that one transaction moves. */
const PART = 200

/**
 * The job: every product whose moment has come is as its schedule has it now, in one transaction with its history and
 * with what tells all processes. Run twice, or by two, it moves nothing more: what was done is no longer due. The next
 * moment is kept anew each time: where this process's clock is behind the database's, the job came too early.
 */
export const followSchedulesJob =
  (deps: CatalogueWriter & { now: () => Date }): JobHandler =>
  async (_, signal) => {
    while (await followPart(deps)) signal.throwIfAborted()
    const next = await deps.db
      .select({ dueAt: products.dueAt })
      .from(products)
      .where(isNotNull(products.dueAt))
      .orderBy(products.dueAt)
      .limit(1)
    await enqueueDue(
      deps.db,
      next.map(({ dueAt }) => dueAt),
      deps.now(),
    )
  }

async function followPart(deps: CatalogueWriter & { now: () => Date }): Promise<boolean> {
  const now = deps.now()
  const due = await rows<{ id: string }>(
    deps.db,
    sql`select id from products where due_at <= ${now.toISOString()}::timestamptz order by due_at limit ${PART}`,
  )
  if (due.length === 0) return false
  const ids = due.map(({ id }) => id)
  await changeCatalogue(
    deps,
    (tx) => follow(tx, ids, now),
    (moved) => moved > 0,
    { products: ids },
  )
  return true
}

async function follow(tx: CatalogueTx, ids: readonly string[], now: Date): Promise<number> {
  const [found] = await lock(tx).products(ids)
  const moved = [...found.values()]
    .filter(({ dueAt }) => dueAt !== null && dueAt <= now)
    .map((before): RowChange => ({ before, after: followed(before, now.getTime()) }))
  await writeMany(tx, SCHEDULE, moved, now)
  return moved.length
}
