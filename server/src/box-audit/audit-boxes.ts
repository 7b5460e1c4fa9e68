import { and, asc, eq, gt } from 'drizzle-orm'
import { holdsFish } from '#server/boxes/box-access.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { type AuditDeps, type Derived, derived } from './derived.ts'

/** `of`: what differs. `canRebuild`: `rebuild` makes it anew. */
export type BoxDifference = { boxID: string; of: string; words: string[]; canRebuild: boolean }

/** How what is derived of one box differs from its rows. */
export async function auditBox(deps: AuditDeps, boxID: string): Promise<BoxDifference[]> {
  const found: BoxDifference[] = []
  for (const [of, one] of Object.entries(derived)) {
    const before = await compare(deps, boxID, one)
    const words = before.length === 0 ? before : await compare(deps, boxID, one) // it may have grown meanwhile
    if (words.length > 0) found.push({ boxID, of, words, canRebuild: one.rebuild !== undefined })
  }
  return found
}

async function compare(deps: AuditDeps, boxID: string, { differences }: Derived): Promise<string[]> {
  const [row] = await deps.db.select().from(boxes).where(eq(boxes.id, boxID))
  if (row === undefined) return []
  return differences(deps, row).catch((error: unknown) => [`not comparable: ${String(error)}`])
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
