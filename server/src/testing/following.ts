import pino from 'pino'
import type { Database } from '#server/db/client.ts'
import { EventFeed, type HeardEvent } from '#server/db/event-feed.ts'

/** Longer than any test: it looks only when it is told. */
const NEVER_MS = 3_600_000

/** A process that follows the events. `until` resolves when it has heard `n`. */
export async function following(database: Database, pollMs = NEVER_MS) {
  const heard: HeardEvent[] = []
  let missed = 0
  let waiting = Promise.withResolvers<void>()
  const wake = (): void => {
    waiting.resolve()
    waiting = Promise.withResolvers()
  }
  const feed = new EventFeed(database, pino({ level: 'silent' }))
  const follower = {
    heard: (event: HeardEvent) => {
      heard.push(event)
      wake()
    },
    missed: () => {
      missed++
      wake()
    },
  }
  const stop = await feed.start([follower], pollMs)
  const whileNot = async (done: () => boolean): Promise<void> => {
    while (!done()) await waiting.promise
  }
  return {
    heard,
    stop,
    missed: () => missed,
    boxes: () => heard.flatMap(({ keys }) => keys ?? []),
    until: (n: number) => whileNot(() => heard.length >= n),
    untilMissed: (n: number) => whileNot(() => missed >= n),
  }
}
