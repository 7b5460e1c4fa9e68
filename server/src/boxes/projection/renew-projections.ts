import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { lockBox } from '#server/boxes/lock-box.ts'
import { holdsFish } from '#server/boxes/register-boxes.ts'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import { affectsCatalogue } from '#server/catalogue/box-cards.ts'
import { type CatalogueWriter, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { type Db, rows } from '#server/db/client.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { loadState } from './load-state.ts'
import { FORMULAS } from './projection.ts'
import { writeProjection } from './write-projection.ts'

export const RENEW_QUEUE = 'box.renew-projections'

/** Boxes found by one query. */
const BATCH = 100

/** Enqueues the job, once for all processes: whether boxes have projections by other formulas takes a scan of them all. */
export const scheduleRenewal = (db: Db): Promise<void> =>
  enqueue(db, RENEW_QUEUE, {}, { uniqueKey: `${FORMULAS}` })

type ProjectionDeps = CatalogueWriter & { siteFile: { market: Market } }
type RenewalDeps = ProjectionDeps & { log: Logger }

/**
 * The job: projects every box anew that an older version of the shop projected, so that cards and lists show what this
 * version computes. Each box is a transaction of its own; one that fails keeps what it has, and the log says so.
 */
export const renewProjectionsJob =
  (deps: RenewalDeps): JobHandler =>
  async (_payload, signal) => {
    for (let after = ''; ; ) {
      const ids = await outdated(deps.db, BATCH, after)
      for (const id of ids) {
        signal.throwIfAborted()
        await renewProjection(deps, id).catch((err: unknown) =>
          deps.log.error({ err, box: id }, 'box not projected'),
        )
      }
      if (ids.length < BATCH) return
      after = ids.at(-1) ?? ''
    }
  }

/** Makes anew what lists, cards and pages show of a box, as after every record; cards hear of it where they change. */
export const renewProjection = (deps: ProjectionDeps, id: string): Promise<boolean> =>
  changeCatalogue(
    deps,
    async (tx) => {
      const row = await lockBox(tx, id)
      const state = await loadState(tx, row, deps.siteFile.market)
      const isChanged = await writeProjection(tx, row, state)
      return isChanged && (await affectsCatalogue(tx, [id]))
    },
    (isChanged) => isChanged,
    { boxes: [id] },
  )

/** Ids after one, in order, of boxes whose projection is by other formulas. */
async function outdated(db: Db, limit: number, after = ''): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from boxes
        where id > ${after} and ${holdsFish} and count > 0 and (projection->>'formulas')::int is distinct from ${FORMULAS}
        order by id limit ${limit}`,
  )
  return found.map(({ id }) => id)
}
