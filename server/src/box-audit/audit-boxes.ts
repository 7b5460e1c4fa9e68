import { Readable } from 'node:stream'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type BoxRow, holdsFish } from '#server/boxes/index.ts'
import { type Db, rows } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { queueBehind } from '#server/excursions/index.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { type AuditDeps, type Derived, derived } from './derived.ts'

/** `of`: what differs. `canRebuild`: `rebuild` makes it anew. */
type BoxDifference = { boxID: string; of: string; words: string[]; canRebuild: boolean }

/** How what is derived of one box differs from its rows. */
export async function auditBox(deps: AuditDeps, boxID: string): Promise<BoxDifference[]> {
  const found: BoxDifference[] = []
  const row = await rowOf(deps, boxID)
  for (const [of, one] of Object.entries(derived)) {
    const before = await compare(deps, row, one)
    // It may have grown meanwhile
    const words = before.length === 0 ? before : await compare(deps, await rowOf(deps, boxID), one)
    if (words.length > 0) found.push({ boxID, of, words, canRebuild: one.rebuild !== undefined })
  }
  return found
}

async function rowOf({ db }: AuditDeps, boxID: string): Promise<BoxRow | undefined> {
  const [row] = await db.select().from(boxes).where(eq(boxes.id, boxID))
  return row
}

const compare = async (
  deps: AuditDeps,
  row: BoxRow | undefined,
  { differences }: Derived,
): Promise<string[]> =>
  row === undefined
    ? []
    : differences(deps, row).catch((error: unknown) => [`not comparable: ${String(error)}`])

/** Makes anew what differs and can be. */
export async function rebuild(deps: AuditDeps, { boxID, of }: BoxDifference): Promise<void> {
  await derived[of]?.rebuild?.(deps, boxID)
}

/** Boxes whose ids are read at once. */
const PART = 500

/** The ids of boxes with fish after one, in order, a part. */
const boxesAfter = async (db: Db, last: string, limit = PART): Promise<string[]> => {
  const found = await db
    .select({ id: boxes.id })
    .from(boxes)
    .where(and(gt(boxes.id, last), holdsFish))
    .orderBy(asc(boxes.id))
    .limit(limit)
  return found.map(({ id }) => id)
}

/** Boxes that are compared at once: while the database reads for one, another is computed. */
const AT_ONCE = 4

/** The differences of all boxes, in the order of their ids. */
export async function* auditBoxes(deps: AuditDeps): AsyncGenerator<BoxDifference> {
  for (let last = ''; ; ) {
    const part = await boxesAfter(deps.db, last)
    const found = Readable.from(part).map((id: string) => auditBox(deps, id), { concurrency: AT_ONCE })
    for await (const ofBox of found) yield* ofBox
    last = part.at(-1) ?? ''
    if (part.length < PART) return
  }
}

export const AUDIT_QUEUE = 'box.audit-sample'

/** Boxes a night. */
const SAMPLE = 500

type Deps = AuditDeps & { log: Logger }

/**
 * The job: compares so many boxes from a random one on, round the end of the list. What differs is an error in the log,
 * with its words, and is made anew where that is possible: a wrong date must not stay until somebody reads the log.
 */
export const auditSampleJob =
  (deps: Deps, from: () => number = Math.random): JobHandler =>
  async (_payload, signal) => {
    await deps.db.transaction(queueBehind) // none should be: it is found the same night, whatever lost it
    for (const boxID of await sample(deps.db, from())) {
      signal.throwIfAborted()
      for (const difference of await auditBox(deps, boxID)) {
        const { of, words } = difference
        deps.log.error({ box: boxID, of, words }, 'what is shown of a box is not what its records give')
        await rebuild(deps, difference)
      }
    }
  }

/** @param share of the boxes that come before the first one */
async function sample(db: Db, share: number): Promise<string[]> {
  const [first] = await rows<{ id: string }>(
    db,
    sql`select id from boxes where ${holdsFish} order by id
        offset floor(${share}::float8 * (select count(*) from boxes where ${holdsFish})) limit 1`,
  )
  if (first === undefined) return []
  const ahead = [first.id, ...(await boxesAfter(db, first.id, SAMPLE - 1))]
  const round = await boxesAfter(db, '', SAMPLE - ahead.length)
  return [...new Set([...ahead, ...round])]
}
