import { type SQL, sql } from 'drizzle-orm'
import { tellAfterCommit } from './after-commit.ts'
import { type Db, rows, type Tx } from './client.ts'

/** Tells that events were numbered; without a payload. */
export const EVENTS_CHANNEL = 'events'

/** What happened, and of what the keys are ids. */
export const eventKinds = {
  /** Products, where only these changed in the public catalogue. */
  catalogueChanged: 'catalogue.changed',
  /** Not known which slots are offered otherwise than before, or have filled up. */
  slotsChanged: 'slots.changed',
  /** Boxes that got records. */
  boxGrown: 'box.grown',
  /** The index of an anchor. */
  anchorConfirmed: 'anchor.confirmed',
  /** The index of an anchor that was confirmed, and that the chain no longer holds. */
  anchorReverted: 'anchor.reverted',
} as const

type EventKind = (typeof eventKinds)[keyof typeof eventKinds]

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

/** Events that are deleted in one statement. */
const PART = 5_000

/**
 * Deletes the events from before then, the oldest first and in parts, so that none locks or writes much at once. Those
 * without a number stay; a follower that had not come so far is told that it missed some.
 */
export async function deleteEvents(db: Db, before: Date): Promise<void> {
  for (;;) {
    const [gone] = await rows<{ n: number }>(
      db,
      sql`with oldest as (select id, at from events where number is not null order by number limit ${PART}),
          gone as (delete from events e using oldest o
            where e.id = o.id and o.at < ${before.toISOString()}::timestamptz returning 1)
          select count(*)::int as n from gone`,
    )
    if ((gone?.n ?? 0) < PART) return
  }
}
