import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { consume, type EventConsumer } from '#server/db/consume.ts'
import type { EventKind } from '#server/db/events.ts'

/** What is derived of orders or boxes and follows them. */
export type Projection = {
  /** Of its cursor, whose row is also what holds off others while it is written. */
  name: string
  /** What it is derived of. */
  of: 'orders' | 'boxes'
  /** What says of which of these it is to be derived again. */
  kind: EventKind
  tables: SQL
  /** Derives it of these as they are now. Again, it changes nothing. */
  apply(tx: Tx, ids: readonly string[]): Promise<void>
}

export type FollowDeps = { db: Db; log: Pick<Logger, 'error' | 'warn'> }

/** What is derived at once. */
const PART = 500
/** Between two looks at what changed. */
const PERIOD_MS = 2_000

/** Row of `installation`: the id up to which it is derived while it is made anew. */
const marker = ({ name }: Pick<Projection, 'name'>): string => `${name}-made-until`

/** Follows what it is derived of. */
export const consumerOf = (projection: Projection): EventConsumer => ({
  name: projection.name,
  kinds: [projection.kind],
  async work(tx, events) {
    const ids = [...new Set(events.flatMap(({ keys }) => keys ?? []))]
    for (let from = 0; from < ids.length; from += PART)
      await projection.apply(tx, ids.slice(from, from + PART))
  },
  startOver: (tx) => beginAnew(tx, projection),
})

/** Empties it; `follow` makes it anew, part by part. */
async function beginAnew(tx: Tx, projection: Projection): Promise<void> {
  await rows(tx, sql`truncate ${projection.tables}`)
  await rows(
    tx,
    sql`insert into installation (name, value) values (${marker(projection)}, '')
        on conflict (name) do update set value = ''`,
  )
}

/** Waits for whoever writes it, and holds them off. */
export const lockProjection = (tx: Tx, { name }: Projection): Promise<unknown> =>
  rows(tx, sql`select 1 from event_consumers where name = ${name} for update`)

/** Has it made anew, by a running process. */
export const rebuild = (db: Db, projection: Projection): Promise<void> =>
  db.transaction(async (tx) => {
    await lockProjection(tx, projection)
    await beginAnew(tx, projection)
  })

/** Derives the next part of what is made anew. Returns whether there was any. */
async function makeMore(db: Db, projection: Projection): Promise<boolean> {
  const made = await rows(db, sql`select 1 from installation where name = ${marker(projection)}`)
  return made.length > 0 && db.transaction((tx) => makePart(tx, projection))
}

async function makePart(tx: Tx, projection: Projection): Promise<boolean> {
  await lockProjection(tx, projection)
  const name = marker(projection)
  const [made] = await rows<{ value: string }>(
    tx,
    sql`select value from installation where name = ${name} for update`,
  )
  if (made === undefined) return false
  const next = await rows<{ id: string }>(
    tx,
    sql`select id from ${sql.raw(projection.of)} where id > ${made.value} order by id limit ${PART}`,
  )
  const last = next.at(-1)?.id
  if (last === undefined) {
    await rows(tx, sql`delete from installation where name = ${name}`)
    return false
  }
  await projection.apply(
    tx,
    next.map(({ id }) => id),
  )
  await rows(tx, sql`update installation set value = ${last} where name = ${name}`)
  return true
}

/** Ids of what changed since it was brought up to date, or is still to be derived. */
export async function waitingFor(tx: Tx, projection: Projection): Promise<string[]> {
  const { name, kind, of } = projection
  const found = await rows<{ id: string }>(
    tx,
    sql`select distinct unnest(keys) as id from events where kind = ${kind}
          and (number is null or number > (select last from event_consumers where name = ${name}))
        union select id from ${sql.raw(of)}
          where id > (select value from installation where name = ${marker(projection)})`,
  )
  return found.map(({ id }) => id)
}

/** How far it is: whether it is made, and not being made anew, and for how many seconds the oldest change waits. */
export async function stateOf(
  db: Db,
  projection: Pick<Projection, 'name' | 'kind'>,
): Promise<{ isMade: boolean; lagS: number }> {
  const { name, kind } = projection
  const [state] = await rows<{ isMade: boolean; lagS: number }>(
    db,
    sql`select exists (select from event_consumers where name = ${name})
            and not exists (select from installation where name = ${marker(projection)}) as "isMade",
          coalesce(extract(epoch from now() - (
            select min(at) from events where kind = ${kind}
              and (number is null or number > (select last from event_consumers where name = ${name})))), 0)::int
            as "lagS"`,
  )
  return state ?? { isMade: false, lagS: 0 }
}

/** Brings it up to date with all that is committed. */
export async function follow(
  { db, log }: FollowDeps,
  projection: Projection,
  signal?: AbortSignal,
): Promise<void> {
  const consumer = consumerOf(projection)
  while (!signal?.aborted) {
    const areMore = await consume(db, consumer, log)
    if (!(await makeMore(db, projection)) && !areMore) return
  }
}

/** Follows until it is stopped; any number of processes may. @returns a function that stops it */
export function startFollowing(deps: FollowDeps, projections: readonly Projection[]): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      for (const projection of projections)
        await follow(deps, projection, signal).catch((err: unknown) =>
          deps.log.error({ err, projection: projection.name }, 'not followed'),
        )
      await sleep(PERIOD_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
