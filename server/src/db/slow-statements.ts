import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { apart } from '#server/tracing/trace.ts'
import { type Db, type PoolCounts, rows } from './client.ts'
import { sqlState } from './sql-errors.ts'
import { verbOf, withoutLiterals } from './statements.ts'

/** A statement is told again after so long, if it is slow then. */
const PERIOD_MS = 3_600_000
/** Between two that are told, so that a slow server is not asked for plans as well. */
const PAUSE_MS = 10_000
/** Statements that are remembered. */
const MOST = 1_000
/** Planning takes no longer, and waits no longer for a table that a migration has locked. */
const PLAN_MS = 3_000
const LOCK_MS = 500
/** Characters of a plan in the log. */
const LONGEST = 8_000

/** What has a plan. */
const PLANNED = new Set(['select', 'with', 'insert', 'update', 'delete', 'merge'])
/** Source: PostgreSQL, appendix A: query_canceled, as by the limit of time. */
const CANCELED = '57014'

let count = 0
/** Statements that were slow, since the start. */
export const countSlowStatements = (): number => count

/** Tells of statements that take long. */
export type SlowStatements = {
  /** @param ms how long it took @param error why it failed */
  note(text: string, ms: number, error?: unknown): void
  /** Plans are asked of this database from now on. */
  planBy(database: { db: Db; pool(): PoolCounts | undefined }): void
}

/** Statements that differ in how many values a list has are one. */
const shapeOf = (text: string): string => text.replace(/\$\d+(?:, ?\$\d+)*/g, '$')

/**
 * Tells of each statement that took `limitMs` or longer, once an hour, with its plan: what the server would do for any
 * values, which is asked afterwards, on another connection, without running it. Statements that failed are not told, but for
 * those that the limit of time ended. Values are neither known here nor asked for.
 * @param pauseMs between two that are told
 */
export function slowStatements(
  limitMs: number,
  log: Pick<Logger, 'warn'>,
  pauseMs = PAUSE_MS,
): SlowStatements {
  const toldAt = new Map<string, number>()
  let database: Parameters<SlowStatements['planBy']>[0] | undefined
  let nextAt = 0
  const tell = async (text: string, ms: number): Promise<void> => {
    const plan = await apart(() => planOf(database, text)).catch((error: unknown) => ({
      noPlan: sqlState(error) ?? 'it can’t be planned',
    }))
    log.warn({ ms: Math.round(ms), statement: withoutLiterals(text), ...plan }, 'slow statement')
  }
  return {
    planBy: (from) => {
      database = from
    },
    note: (text, ms, error) => {
      if (ms < limitMs || (error !== undefined && sqlState(error) !== CANCELED)) return
      count++
      const now = performance.now()
      const shape = shapeOf(text)
      if (now < nextAt || now - (toldAt.get(shape) ?? Number.NEGATIVE_INFINITY) < PERIOD_MS) return
      nextAt = now + pauseMs
      toldAt.delete(shape)
      toldAt.set(shape, now)
      const [oldest] = toldAt.keys()
      if (toldAt.size > MOST && oldest !== undefined) toldAt.delete(oldest)
      void tell(text, ms)
    },
  }
}

type Plan = { plan: string } | { noPlan: string }

/** Asks for the plan of a statement for values that are not known, in a transaction of its own that may not write. */
async function planOf(
  database: Parameters<SlowStatements['planBy']>[0] | undefined,
  text: string,
): Promise<Plan> {
  if (!PLANNED.has(verbOf(text))) return { noPlan: 'it has none' }
  if (database === undefined) return { noPlan: 'the shop was starting' }
  if ((database.pool()?.waiting ?? 0) > 0) return { noPlan: 'no connection was free' }
  const name = sql.identifier(`slow_${randomBytes(6).toString('hex')}`)
  const values = Math.max(0, ...(text.match(/\$\d+/g) ?? []).map((one) => Number(one.slice(1))))
  const nulls = values === 0 ? sql`` : sql.raw(`(${Array.from({ length: values }, () => 'null').join(', ')})`)
  return database.db.transaction(
    async (tx) => {
      await rows(tx, sql.raw(`set local statement_timeout = ${PLAN_MS}`))
      await rows(tx, sql.raw(`set local lock_timeout = ${LOCK_MS}`))
      await rows(tx, sql.raw('set local plan_cache_mode = force_generic_plan'))
      await rows(tx, sql`prepare ${name} as ${sql.raw(text)}`)
      try {
        const lines = await tx.transaction((inner) =>
          rows<{ 'QUERY PLAN': string }>(inner, sql`explain execute ${name}${nulls}`),
        )
        const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
        return { plan: withoutLiterals(plan).slice(0, LONGEST) }
      } finally {
        await rows(tx, sql`deallocate ${name}`) // a prepared statement outlives a transaction
      }
    },
    { accessMode: 'read only' },
  )
}
