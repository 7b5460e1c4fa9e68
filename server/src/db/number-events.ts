import { sql } from 'drizzle-orm'
import { rows, type Tx } from './client.ts'

/** Events that get their numbers in one transaction. */
const PART = 1_000

/**
 * Gives the next numbers to events that are committed, in the caller's transaction. Only one transaction does so at a time, so
 * numbers become visible in their order: a follower that has read up to one never finds a smaller one later, whenever
 * the transaction that appended it was committed. Two events of which the first was committed before the second was
 * appended keep that order.
 * @returns the kinds of those that were numbered, and whether there may be more
 */
export async function numberEvents(tx: Tx): Promise<{ kinds: string[]; more: boolean }> {
  const waiting = await rows(tx, sql`select from events where number is null limit 1`)
  if (waiting.length === 0) return { kinds: [], more: false } // the usual case where another process was quicker
  await rows(tx, sql`select from event_numbers for update`)
  // A statement of its own: it has to see what was committed while it waited for the lock.
  const numbered = await rows<{ kind: string; n: number }>(
    tx,
    sql`with due as (
          select id, row_number() over (order by id) as place
          from (select id from events where number is null order by id limit ${PART}) as first),
        numbered as (
          update events e set number = c.last + due.place from due, event_numbers c where e.id = due.id
          returning e.kind),
        counted as (update event_numbers set last = last + (select count(*) from due))
        select kind, count(*)::int as n from numbered group by kind`,
  )
  const n = numbered.reduce((sum, one) => sum + one.n, 0)
  return { kinds: numbered.map(({ kind }) => kind), more: n === PART }
}
