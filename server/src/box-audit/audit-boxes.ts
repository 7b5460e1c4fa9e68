import { and, asc, eq, gt } from 'drizzle-orm'
import { renewProjection } from '#server/boxes/projection/renew-projections.ts'
import type { BoxRow } from '#server/boxes/records/read-records.ts'
import { holdsFish } from '#server/boxes/register-boxes.ts'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import type { CatalogueWriter } from '#server/catalogue/change-catalogue.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { diffExcursions, rebuildExcursions } from '#server/excursions/rebuild-excursions.ts'
import { figureDifferences } from './figures.ts'
import { leafDifferences } from './map-leaf.ts'
import { saleDifferences } from './recorded-sales.ts'

export type AuditDeps = CatalogueWriter & { db: Db; siteFile: { market: Market } }

/** What is derived of a box. */
type Derived = {
  /** How it differs from what it is derived of, in sentences; none: it does not. */
  differences(deps: AuditDeps, row: BoxRow): Promise<string[]>
  /** Makes it anew; what has none needs a person. */
  rebuild?(deps: AuditDeps, boxID: string): Promise<unknown>
}

/** All that is derived of a box, by its name in reports. */
const derived: Readonly<Record<string, Derived>> = {
  figures: { differences: figureDifferences, rebuild: renewProjection },
  excursions: {
    differences: async (deps, { id }) =>
      (await diffExcursions(deps, id)).map(
        ({ only, since, until, peak }) =>
          `only in the ${only}: ${since} to ${until ?? 'now'}, up to ${peak} °C`,
      ),
    rebuild: ({ db }, boxID) => rebuildExcursions(db, boxID),
  },
  sales: { differences: saleDifferences },
  'box map': { differences: leafDifferences },
}

/** `of`: what differs. `canRebuild`: `rebuild` makes it anew. */
export type BoxDifference = { boxID: string; of: string; words: string[]; canRebuild: boolean }

/** How what is derived of one box differs from its rows. A box that grows meanwhile is looked at once more. */
export async function auditBox(deps: AuditDeps, boxID: string): Promise<BoxDifference[]> {
  const found: BoxDifference[] = []
  for (const [of, { differences, rebuild }] of Object.entries(derived)) {
    let words: string[] = []
    for (let look = 1; look <= 2; look++) {
      const [row] = await deps.db.select().from(boxes).where(eq(boxes.id, boxID))
      if (row === undefined) return found
      words = await differences(deps, row).catch((error: unknown) => [`not comparable: ${String(error)}`])
      if (words.length === 0) break
    }
    if (words.length > 0) found.push({ boxID, of, words, canRebuild: rebuild !== undefined })
  }
  return found
}

/** Makes anew what differs and can be. */
export async function rebuild(deps: AuditDeps, { boxID, of }: BoxDifference): Promise<void> {
  await derived[of]?.rebuild?.(deps, boxID)
}

/** Boxes whose ids are read at once. */
const PART = 500

/** The ids of boxes with fish after one, in order, a part. */
export const boxesAfter = async (db: Db, last: string, limit = PART): Promise<string[]> => {
  const found = await db
    .select({ id: boxes.id })
    .from(boxes)
    .where(and(gt(boxes.id, last), holdsFish))
    .orderBy(asc(boxes.id))
    .limit(limit)
  return found.map(({ id }) => id)
}

/** The differences of all boxes, in the order of their ids. */
export async function* auditBoxes(deps: AuditDeps): AsyncGenerator<BoxDifference> {
  for (let last = ''; ; ) {
    const part = await boxesAfter(deps.db, last)
    for (const id of part) yield* await auditBox(deps, id)
    last = part.at(-1) ?? ''
    if (part.length < PART) return
  }
}
