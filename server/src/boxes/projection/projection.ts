import { BoxMetrics } from '@befaqt/domain/api/box-api'
import { SensorResult } from '@befaqt/domain/box'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type BoxRow, rowVersion } from '#server/boxes/records/read-records.ts'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import type { Db } from '#server/db/client.ts'
import { type BoxProjection, boxes } from '#server/db/schema/boxes.ts'
import type { BoxState } from './box-state.ts'

/** To be counted up when a formula changes, so that figures by the old one are made anew. */
export const FORMULAS = 4

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
