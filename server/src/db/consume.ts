import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { tracedForAll } from '#server/tracing/trace.ts'
import { type Db, rows, type Tx } from './client.ts'
import { EVENTS_CHANNEL, type EventKind, isUsed, knownVersions } from './events.ts'
import { numberAndNotify } from './signals.ts'
import { carryTrace } from './trace-context.ts'
import { isDatabaseUnreachable } from './unreachable.ts'

/** `keys`: null for any. `at`: when the transaction that appended it began, by the database's clock. */
export type ConsumedEvent = { number: number; kind: string; keys: readonly string[] | null; at: string }

/**
 * Work in the database that follows from events of all processes, in the order of their numbers. What it calls outside is
 * a job that `work` enqueues: there exactly when the cursor has moved, and its attempt is stored before it is made.
 */
export type EventConsumer = {
  /** Of its cursor; with another name it begins anew. */
  name: string
  kinds: readonly EventKind[]
  /** Runs in the transaction in which the cursor moves. An event may come again: it must be idempotent. */
  work(tx: Tx, events: readonly ConsumedEvent[]): Promise<void>
  /** Does in such a transaction what, by the rows that there are, may be undone: its cursor is new, or events were lost. */
  startOver(tx: Tx): Promise<void>
}

type Log = Pick<Logger, 'error' | 'warn'>
type Found = ConsumedEvent & { version: number; trace: string | null }
type Cursor = { last: number; newest: number; skippedFrom: number | null }

/** Events in one transaction. */
const WINDOW = 500
/** Until an event that failed is tried again: two seconds, doubling, at most this. */
const MAX_RETRY_S = 60

/**
 * Does the work of the next events, of one window, and moves the cursor, in one transaction with the cursor's row locked: of
 * several processes one does it, and the others go on without waiting. Where an event fails, those before it are done, the
 * cursor stands before it, its row says why, and it is tried again: nothing of its key is done out of order. Other
 * consumers have rows of their own.
 * @param known versions of kinds; an event that is none of them is skipped, until a process that knows it goes back to it
 * @returns whether there may be more
 */
export async function consume(
  db: Db,
  consumer: EventConsumer,
  log: Log,
  known = knownVersions,
): Promise<boolean> {
  const [seen] = await rows<{ there: boolean; unseen: boolean; untold: boolean; due: boolean }>(
    db,
    sql`select c.name is not null as there, c.seen_at < now() - interval '1 hour' as unseen,
          exists (select from events where number is null) as untold,
          coalesce((c.last <> n.last or c.skipped_from is not null)
            and (c.retry_at is null or c.retry_at <= now()), true) as due
        from event_numbers n left join event_consumers c on c.name = ${consumer.name}`,
  )
  if (seen === undefined) return false
  const isMore = seen.untold && (await db.transaction((tx) => numberAndNotify(tx, [EVENTS_CHANNEL])))
  if (!seen.there) await db.transaction((tx) => begin(tx, consumer))
  if (seen.unseen) await noteSeen(db, consumer)
  if (!seen.untold && !seen.due) return isMore
  return (await db.transaction((tx) => consumeWindow(tx, consumer, log, known))) || isMore
}

/** Makes its cursor, at the newest event: what was before is found by its rows. */
async function begin(tx: Tx, consumer: EventConsumer): Promise<void> {
  const made = await rows(
    tx,
    sql`insert into event_consumers (name, last) select ${consumer.name}, last from event_numbers
        on conflict do nothing returning name`,
  )
  if (made.length > 0) await consumer.startOver(tx)
}

/** Notes that there is a process that has it; where its row is locked, that process has noted it. */
const noteSeen = (db: Db, { name }: EventConsumer): Promise<unknown> =>
  rows(
    db,
    sql`update event_consumers set seen_at = now()
        where name in (select name from event_consumers where name = ${name} for update skip locked)`,
  )

async function consumeWindow(
  tx: Tx,
  consumer: EventConsumer,
  log: Log,
  known: Readonly<Record<string, number>>,
): Promise<boolean> {
  const { name } = consumer
  const isKnown = ({ kind, version }: Pick<Found, 'kind' | 'version'>): boolean =>
    version <= (known[kind] ?? 0)
  const cursor = await takeCursor(tx, name, isKnown)
  if (cursor === undefined) return false
  const found = await eventsAfter(tx, cursor.last)
  const next = found[0]?.number ?? cursor.newest + 1
  if (cursor.newest < cursor.last || next !== cursor.last + 1) {
    log.error({ consumer: name, last: cursor.last, next }, 'events are gone: starting over')
    const failed = await failureOf(tx, (inner) => consumer.startOver(inner))
    if (failed === undefined) await moveCursor(tx, name, { last: cursor.newest, lost: 1 })
    else await stop(tx, consumer, log, cursor.last, failed)
    return false
  }
  if (found.length === 0 && cursor.skippedFrom !== null) return false // it waits for a newer process
  const unknown = found.filter((event) => !isKnown(event))
  const wanted: readonly string[] = consumer.kinds
  const due = found.filter((event) => isKnown(event) && wanted.includes(event.kind))
  const causes = due.flatMap(({ trace }) => trace ?? [])
  const attributes = { 'befaqt.events': due.length }
  const failed = await tracedForAll(causes, `consume ${name}`, { kind: 'consumer', attributes }, async () => {
    await carryTrace(tx)
    return workOff(tx, consumer, due)
  })
  const last = failed === undefined ? (found.at(-1)?.number ?? cursor.last) : failed.number - 1
  const skipped = unknown.filter(({ number }) => number <= last)
  if (skipped.length > 0) {
    const kinds = [...new Set(skipped.map(({ kind, version }) => `${kind} ${version}`))]
    log.warn(
      { consumer: name, kinds, events: skipped.length },
      'skipped events that this version does not know',
    )
  }
  const skippedFrom = cursor.skippedFrom ?? skipped[0]?.number ?? null
  await moveCursor(tx, name, { last, skipped: skipped.length, skippedFrom })
  if (failed !== undefined) await stop(tx, consumer, log, failed.number, failed)
  return failed === undefined && found.length === WINDOW
}

/**
 * Locks the cursor's row, unless another process has it or a retry is not due. Where an event was skipped that this process
 * knows, it stands before that one again.
 */
async function takeCursor(
  tx: Tx,
  name: string,
  isKnown: (event: { kind: string; version: number }) => boolean,
): Promise<Cursor | undefined> {
  type Taken = {
    last: string
    newest: string
    skippedFrom: string | null
    kind: string | null
    version: number
  }
  const [taken] = await rows<Taken>(
    tx,
    sql`select c.last, n.last as newest, c.skipped_from as "skippedFrom", s.kind, coalesce(s.version, 0) as version
        from event_consumers c cross join event_numbers n left join events s on s.number = c.skipped_from
        where c.name = ${name} and (c.retry_at is null or c.retry_at <= now())
        for update of c skip locked`,
  )
  if (taken === undefined) return undefined
  const { kind, version } = taken
  const [last, newest, first] = [Number(taken.last), Number(taken.newest), Number(taken.skippedFrom)]
  if (kind === null) return { last, newest, skippedFrom: null } // nothing was skipped, or it is deleted by now
  return isKnown({ kind, version })
    ? { last: Math.min(last, first - 1), newest, skippedFrom: null }
    : { last, newest, skippedFrom: first }
}

async function eventsAfter(tx: Tx, last: number): Promise<Found[]> {
  const found = await rows<Omit<Found, 'number'> & { number: string }>(
    tx,
    sql`select number, kind, version, keys, at::text, trace from events where number > ${last} order by number limit ${WINDOW}`,
  )
  return found.map((event) => ({ ...event, number: Number(event.number) }))
}

/** All at once; where that fails, one after the other up to the one that does. */
async function workOff(
  tx: Tx,
  consumer: EventConsumer,
  events: readonly ConsumedEvent[],
): Promise<{ number: number; error: unknown } | undefined> {
  if (events.length === 0) return undefined
  const failed = await failureOf(tx, (inner) => consumer.work(inner, events))
  if (failed === undefined) return undefined
  const [only, second] = events
  if (only !== undefined && second === undefined) return { number: only.number, ...failed }
  for (const event of events) {
    const alone = await failureOf(tx, (inner) => consumer.work(inner, [event]))
    if (alone !== undefined) return { number: event.number, ...alone }
  }
  return undefined
}

/** What the work throws, with nothing of it done. @throws when the database can't be reached */
async function failureOf(tx: Tx, work: (tx: Tx) => Promise<void>): Promise<{ error: unknown } | undefined> {
  try {
    await tx.transaction(work)
    return undefined
  } catch (error) {
    if (isDatabaseUnreachable(error)) throw error
    return { error }
  }
}

type Move = { last: number; skipped?: number; skippedFrom?: number | null; lost?: number }

const moveCursor = (tx: Tx, name: string, { last, skipped = 0, skippedFrom = null, lost = 0 }: Move) =>
  rows(
    tx,
    sql`update event_consumers set last = ${last}, skipped = skipped + ${skipped}, skipped_from = ${skippedFrom}::bigint,
          lost = lost + ${lost}, failures = case when last = ${last} then failures else 0 end,
          failing_since = case when last = ${last} then failing_since end,
          last_error = case when last = ${last} then last_error end, retry_at = null
        where name = ${name}`,
  )

async function stop(
  tx: Tx,
  { name }: EventConsumer,
  log: Log,
  event: number,
  { error }: { error: unknown },
): Promise<void> {
  log.error({ err: error, consumer: name, event }, 'event not consumed')
  const message = `event ${event}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 2_000)
  await rows(
    tx,
    sql`update event_consumers set failures = failures + 1, failing_since = coalesce(failing_since, now()),
          retry_at = now() + least(${MAX_RETRY_S}, power(2, least(failures + 1, 10))) * interval '1 second',
          last_error = ${message}
        where name = ${name}`,
  )
}

/** Of a consumer: events that it has not come to, how long the oldest waits, and how long one of them fails. */
export type ConsumerState = {
  name: string
  behind: number
  lagS: number
  failingS: number
  skipped: number
  lost: number
}

/** Of those that a process had within the last week. */
export const consumerStates = (db: Db): Promise<ConsumerState[]> =>
  rows<ConsumerState>(
    db,
    sql`select c.name, greatest(n.last - c.last, 0)::float as behind,
          coalesce(extract(epoch from now() - (
            select at from events where number > c.last order by number limit 1)), 0)::float as "lagS",
          coalesce(extract(epoch from now() - c.failing_since), 0)::float as "failingS", c.skipped, c.lost
        from event_consumers c cross join event_numbers n where ${isUsed(sql`now()`)} order by c.name`,
  )

/** Says at a start which cursors are of consumers that this program has not: they end by themselves. */
export async function nameOthers(
  db: Db,
  log: Pick<Logger, 'warn'>,
  ours: readonly EventConsumer[],
): Promise<void> {
  const names = JSON.stringify(ours.map(({ name }) => name))
  const others = await rows<{ name: string; seenAt: string }>(
    db,
    sql`select name, seen_at::text as "seenAt" from event_consumers
        where name not in (select jsonb_array_elements_text(${names}::jsonb)) order by name`,
  )
  for (const { name, seenAt } of others)
    log.warn(
      { consumer: name, seenAt },
      'this version has no such consumer: a week after it was last seen nothing waits for it, after 90 days its cursor goes',
    )
}
