import { BoxMetrics } from '@befaqt/domain/api/box-api'
import { SensorResult } from '@befaqt/domain/box'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type HistoryDeps, withArchive } from '#server/boxes/archive/read-archive.ts'
import { holdsFish, lockBox } from '#server/boxes/box-access.ts'
import { type BoxRow, rowVersion } from '#server/boxes/read-records.ts'
import {
  affectsCatalogue,
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
  looksSameOnCards,
} from '#server/catalogue/index.ts'
import { type Db, rows } from '#server/db/client.ts'
import { type BoxProjection, boxes } from '#server/db/schema/boxes.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { type BoxState, loadState } from './box-state.ts'
import type { Market } from './box-summary.ts'

/** To be counted up when a formula, or what is kept of a box, changes, so that what was made before is made anew. */
export const FORMULAS = 5

/** The projection of a box whose records add up to this. */
export const projectionOf = (
  { head, alterations }: Pick<BoxRow, 'head' | 'alterations'>,
  state: BoxState,
): BoxProjection => ({
  formulas: FORMULAS,
  timeZone: state.timeZone,
  head,
  alterations,
  figures: state.figures(),
  sensor: state.sensorResult(),
})

const Stored = z.object({
  formulas: z.literal(FORMULAS),
  timeZone: z.string(),
  head: z.string(),
  alterations: z.int(),
  figures: BoxMetrics,
  sensor: SensorResult.nullable(),
})

/**
 * The projection that a row holds; undefined where there is none of its records as they are: an older version of the
 * shop wrote some, somebody changed one in its place, the market moved to another zone, or the projection is damaged.
 * No other history has the same head.
 */
export function storedProjection(
  { head, alterations, projection }: Pick<BoxRow, 'head' | 'alterations' | 'projection'>,
  { timeZone }: Pick<Market, 'timeZone'>,
): BoxProjection | undefined {
  const { data } = Stored.safeParse(projection)
  const isOfRow = data?.head === head && data.alterations === alterations && data.timeZone === timeZone
  return isOfRow ? data : undefined
}

/**
 * Saves a projection that was made of records read after the row was, unless the row was changed or is being changed:
 * then a newer one comes with that change.
 */
export async function saveProjection(
  db: Db,
  { id, version }: { id: string; version: string },
  projection: BoxProjection,
): Promise<void> {
  const asRead = db
    .select({ id: boxes.id })
    .from(boxes)
    .where(and(eq(boxes.id, id), sql`${rowVersion} = ${version}`))
    .for('no key update', { skipLocked: true })
  await db.update(boxes).set({ projection }).where(eq(boxes.id, asRead))
}

/**
 * Writes what lists, cards and pages show of a box, in the transaction that added records to it.
 * @param row after these records, locked by the caller
 * @param state what all of its records add up to
 * @returns whether cards show something else than before
 */
export async function writeProjection(tx: CatalogueTx, row: BoxRow, state: BoxState): Promise<boolean> {
  const written = { ...state.summary(), projection: projectionOf(row, state) }
  await tx.update(boxes).set(written).where(eq(boxes.id, row.id))
  return !looksSameOnCards(row.summary, written.summary, state.timeZone)
}

export const RENEW_QUEUE = 'box.renew-projections'

/** Boxes found by one query. */
const BATCH = 100

/** Enqueues the job, once for all processes: whether boxes have projections by other formulas takes a scan of them all. */
export const scheduleRenewal = (db: Db): Promise<void> =>
  enqueue(db, RENEW_QUEUE, {}, { uniqueKey: `${FORMULAS}` })

type RenewalDeps = CatalogueWriter & HistoryDeps & { siteFile: { market: Market } }

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
export const renewProjection = (deps: RenewalDeps, id: string): Promise<boolean> =>
  withArchive(deps, (archived) =>
    changeCatalogue(
      deps,
      async (tx) => {
        const row = await lockBox(tx, id)
        const state = await loadState(tx, row, deps.siteFile.market, archived)
        const isChanged = await writeProjection(tx, row, state)
        return isChanged && (await affectsCatalogue(tx, [id]))
      },
      (isChanged) => isChanged,
      { boxes: [id] },
    ),
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
