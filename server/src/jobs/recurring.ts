import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '@befaqt/domain/durations'
import { marketTime } from '@befaqt/domain/market-time'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'

/** A job that runs again and again, once for all processes. */
export type Recurring = {
  queue: string
  /** When it runs next after `now`: the same moment in all processes. */
  next(now: Date): Date
}

/** Between two looks: shorter than any period, so that no run is left out. */
const LOOK_MS = 60_000

/** The hour of the market at which few ask for anything. */
const NIGHT = '03'

/** The next full hour that is three o'clock in the market; every day has one, also where clocks change. */
export const nightly =
  (timeZone: string) =>
  (now: Date): Date => {
    const hour = Math.floor(now.getTime() / HOUR_MS)
    for (let ahead = 1; ahead <= 49; ahead++) {
      const at = (hour + ahead) * HOUR_MS
      if (marketTime(at, timeZone).slice(11, 13) === NIGHT) return new Date(at)
    }
    return new Date((hour + 24) * HOUR_MS)
  }

/**
 * Enqueues the next run of each, unless it is there: whatever became of the one before. It is due by the database's clock,
 * so the time until then is kept, not the moment of this process's clock.
 */
export async function enqueueNext(db: Db, recurring: readonly Recurring[], now: Date): Promise<void> {
  const runs = recurring.map(({ queue, next }) => {
    const at = next(now)
    return { queue, key: at.toISOString(), delayMs: at.getTime() - now.getTime() }
  })
  await rows(
    db,
    sql`insert into jobs (queue, payload, unique_key, run_at)
        select queue, '{}', key, now() + "delayMs" * interval '1 millisecond'
        from json_to_recordset(${JSON.stringify(runs)}::json) as r(queue text, key text, "delayMs" float8)
        on conflict (queue, unique_key) do nothing`,
  )
}

type Deps = { db: Db; now: () => Date; log: { error(details: object, message: string): void } }

/**
 * Keeps the next run of each job in the queue, in any number of processes. No run enqueues the next one: one that fails for
 * good, or whose worker hangs, is not the last.
 * @returns a function that stops it
 */
export async function startRecurring(
  { db, now, log }: Deps,
  recurring: readonly Recurring[],
  lookMs = LOOK_MS,
): Promise<() => Promise<void>> {
  const stopping = new AbortController()
  const { signal } = stopping
  const look = async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(lookMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      await enqueueNext(db, recurring, now()).catch((err: unknown) =>
        log.error({ err }, 'recurring jobs not enqueued'),
      )
    }
  }
  await enqueueNext(db, recurring, now())
  const looking = look()
  return async () => {
    stopping.abort()
    await looking
  }
}
