import { HOUR_MS } from '@befaqt/domain/durations'
import { marketTime } from '@befaqt/domain/market-time'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { holdsFish } from '#server/boxes/box-access.ts'
import { type Db, rows } from '#server/db/client.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { auditBox, boxesAfter, rebuild } from './audit-boxes.ts'
import type { AuditDeps } from './derived.ts'

export const AUDIT_QUEUE = 'box.audit-sample'

/** Boxes a night. */
const SAMPLE = 500
/** The hour of the market at which few ask for anything. */
const NIGHT = '03'

type Deps = AuditDeps & { log: Logger; now: () => Date }

/** Schedules the audit of the next night, once for all processes. */
export async function scheduleAudit({ db, now, siteFile }: Omit<Deps, 'log'>): Promise<void> {
  const runAt = nextNight(now(), siteFile.market.timeZone)
  await enqueue(db, AUDIT_QUEUE, {}, { runAt, uniqueKey: runAt.toISOString() })
}

/** The next full hour that is three o'clock in the market; every day has one, also where clocks change. */
function nextNight(now: Date, timeZone: string): Date {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  for (let ahead = 1; ahead <= 49; ahead++) {
    const at = (hour + ahead) * HOUR_MS
    if (marketTime(at, timeZone).slice(11, 13) === NIGHT) return new Date(at)
  }
  return new Date((hour + 24) * HOUR_MS)
}

/**
 * The job: compares so many boxes from a random one on, round the end of the list. What differs is an error in the log,
 * with its words, and is made anew where that is possible: a wrong date must not stay until somebody reads the log.
 */
export const auditSampleJob =
  (deps: Deps, from: () => number = Math.random): JobHandler =>
  async (_payload, signal) => {
    await scheduleAudit(deps) // first, so that a night that fails is not the last one
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
