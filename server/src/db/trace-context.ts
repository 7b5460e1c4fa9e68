import { sql } from 'drizzle-orm'
import { currentSpan } from '#server/tracing/trace.ts'
import { type Db, rows, type Tx } from './client.ts'

/**
 * Has what the transaction appends to the outbox, by itself or by triggers, belong to the trace under way: the default of the
 * column reads this setting, which ends with the transaction. Nothing is sent where none is recorded.
 */
export async function carryTrace(tx: Db | Tx): Promise<void> {
  const traceparent = currentSpan()?.traceparent
  if (traceparent !== undefined) await rows(tx, sql`select set_config('befaqt.trace', ${traceparent}, true)`)
}
