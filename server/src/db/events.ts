import { DAY_MS } from '@befaqt/domain/durations'
import { lt, type SQL, sql } from 'drizzle-orm'
import { tellAfterCommit } from './after-commit.ts'
import { rows, type Tx } from './client.ts'
import { deletes, moment, type Retention } from './retention.ts'
import { eventConsumers, events } from './schema/events.ts'

/** Tells that events were numbered; without a payload. */
export const EVENTS_CHANNEL = 'events'

/** What happened, and of what the keys are ids. */
export const eventKinds = {
  /** Products, where only these changed in the public catalogue. */
  catalogueChanged: 'catalogue.changed',
  /** Not known which slots are offered otherwise than before, or have filled up. */
  slotsChanged: 'slots.changed',
  /** Parts of the site that administrators edit. */
  siteChanged: 'site.changed',
  /** Boxes that got records. */
  boxGrown: 'box.grown',
  /** Boxes whose records were changed in their place, by hand: the database appends it (`count_alterations`). */
  boxAltered: 'box.altered',
  /** Orders that were placed or changed, or whose buyer is gone: the database appends it (`note_orders`). */
  orderChanged: 'order.changed',
  /** Boxes from which something was bought, sold or lost: the database appends it (`note_box_trade`). */
  boxTraded: 'box.traded',
  /** The index of an anchor. */
  anchorConfirmed: 'anchor.confirmed',
  /** The index of an anchor that was confirmed, and that the chain no longer holds. */
  anchorReverted: 'anchor.reverted',
} as const

export type EventKind = (typeof eventKinds)[keyof typeof eventKinds]

/**
 * The newest version of each kind that this process understands. One that gets another meaning, not only more kinds of
 * readers, gets the next version, which whoever appends it writes.
 */
export const knownVersions: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(eventKinds).map((kind) => [kind, 1]),
)

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

/** Events of the outbox, and those that a consumer has not come to. */
const KEPT_MS = 30 * DAY_MS
const UNCONSUMED_MS = 90 * DAY_MS
/** Cursors of consumers that no process had. */
const CURSOR_MS = 90 * DAY_MS

/** Had a process this consumer within the last week? Nothing waits for another, but its cursor stays, should one return. */
export const isUsed = (now: SQL): SQL => sql`seen_at > ${now} - interval '168 hours'`

/**
 * Events that are old, the oldest first, but for longer none that a consumer has not come to. Those without a number stay; a
 * follower that had not come so far is told that it missed some, and so is a consumer that did not until the end. And
 * cursors of consumers that no program has any more.
 */
export const eventRetention: readonly Retention[] = [
  {
    of: events,
    async end(db, now, atMost) {
      const [gone] = await rows<{ n: number }>(
        db,
        sql`with oldest as (
              select id, number, at from events where number is not null order by number limit ${atMost}),
            gone as (delete from events e using oldest o
              where e.id = o.id and o.at < ${moment(now, KEPT_MS)}
                and (o.at < ${moment(now, UNCONSUMED_MS)}
                  or o.number <= coalesce(
                    (select min(last) from event_consumers where ${isUsed(moment(now))}), o.number)) returning 1)
            select count(*)::int as n from gone`,
      )
      return gone?.n ?? 0
    },
  },
  deletes(eventConsumers, (now) => lt(eventConsumers.seenAt, moment(now, CURSOR_MS))),
]
