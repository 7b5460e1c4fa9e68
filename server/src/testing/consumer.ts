import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/db/client.ts'
import { consume, type EventConsumer } from '#server/db/consume.ts'
import { appendEvent, eventKinds, knownVersions } from '#server/db/events.ts'

type Place = Pick<Database, 'db'>

/** A consumer that writes each event into a table, once more each time that it comes; `fails`: at events of that box. */
export async function testConsumer(
  { db }: Place,
  fails: (box: string) => boolean = () => false,
  name = 'test',
) {
  await rows(db, sql`create table if not exists done (name text default 'test', number bigint, boxes text[])`)
  const startedOver: string[] = []
  const consumer: EventConsumer = {
    name,
    kinds: [eventKinds.boxGrown],
    work: async (tx, events) => {
      for (const { number, keys } of events) {
        const boxes = sql.param([...(keys ?? [])])
        await rows(tx, sql`insert into done values (${name}, ${number}, ${boxes}::text[])`)
        if (keys?.some(fails)) throw new Error(`can't do ${keys}`)
      }
    },
    startOver: async () => void startedOver.push(name),
  }
  const logged: { level: 'error' | 'warn'; details: Record<string, unknown> }[] = []
  const at = (level: 'error' | 'warn') => (details: unknown) =>
    void logged.push({ level, details: details as Record<string, unknown> })
  const log = { error: at('error'), warn: at('warn') }
  return {
    ...{ consumer, logged, startedOver },
    once: (known = knownVersions) => consume(db, consumer, log, known),
    /** Consumes until nothing is left, and says how often it took. */
    all: async () => {
      for (let n = 1; ; n++) if (!(await consume(db, consumer, log))) return n
    },
    done: async () =>
      (
        await rows<{ box: string }>(
          db,
          sql`select unnest(boxes) as box from done where name = ${name} order by number`,
        )
      ).map(({ box }) => box),
    row: async () =>
      (
        await rows(
          db,
          sql`select last::int, failures, failing_since is not null as failing, last_error as error, skipped,
              skipped_from::int as "skippedFrom", lost from event_consumers where name = ${name}`,
        )
      )[0],
    retryNow: () => rows(db, sql`update event_consumers set retry_at = now() where name = ${name}`),
  }
}

/** Appends an event for each of these boxes, in one transaction. */
export const grown = ({ db }: Place, ...boxes: string[]): Promise<unknown> =>
  db.transaction(async (tx) => {
    for (const box of boxes) await appendEvent(tx, eventKinds.boxGrown, [box])
  })
