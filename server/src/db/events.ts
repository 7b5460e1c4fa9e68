import { type SQL, sql } from 'drizzle-orm'
import { tellAfterCommit } from './after-commit.ts'
import { rows, type Tx } from './client.ts'

/** Tells that events were numbered; without a payload. */
export const EVENTS_CHANNEL = 'events'

/** What happened, and of what the keys are ids. */
export const eventKinds = {
  /** Products, where only these changed in the public catalogue. */
  catalogueChanged: 'catalogue.changed',
  /** Boxes that got records. */
  boxGrown: 'box.grown',
  /** The index of an anchor. */
  anchorConfirmed: 'anchor.confirmed',
} as const

export type EventKind = (typeof eventKinds)[keyof typeof eventKinds]

/**
 * Appends an event in the caller's transaction: it exists exactly when the change does. Others are told after the commit,
 * by one NOTIFY for all that was committed meanwhile: PostgreSQL lets only one notifying transaction commit at a time.
 * @param keys never anything personal; null: not known which
 * @returns its id
 */
export async function appendEvent(tx: Tx, kind: EventKind, keys: readonly string[] | null): Promise<number> {
  const values = sql`values (${kind}, ${keys === null ? null : sql.param([...keys])}::text[])`
  const [appended] = await rows<{ id: string | number }>(
    tx,
    sql`insert into events (kind, keys) ${values} returning id`,
  )
  tellAfterCommit(EVENTS_CHANNEL)
  return Number(appended?.id)
}

/**
 * As `appendEvent`, in the statement that makes the change, without a round trip of its own.
 * @param change a statement that returns `id` for each row; for none there is no event
 */
export async function changeWithEvent(tx: Tx, kind: EventKind, change: SQL): Promise<void> {
  await rows(
    tx,
    sql`with changed as (${change})
        insert into events (kind, keys) select ${kind}, array_agg(id) from changed having count(*) > 0`,
  )
  tellAfterCommit(EVENTS_CHANNEL)
}
