import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Database, rows } from './client.ts'
import { EVENTS_CHANNEL } from './events.ts'
import { formerNotices } from './former-notices.ts'
import { whileAnswering } from './unreachable.ts'

/** `id` is null for what a process of the version before notified of. `keys`: null for any. */
export type HeardEvent = { id: number | null; kind: string; keys: readonly string[] | null }

/** Something that a process has in memory, and that other processes change. */
export type Follower = {
  /** Called for each event, once and in the order of their numbers, also for kinds that this version does not know. */
  heard(event: HeardEvent): void
  /** Called instead when events may have been missed: whatever it has may be out of date. */
  missed(): void
}

/** How often it looks by itself, for events of which nobody told, such as those of a process killed after its commit. */
const POLL_MS = 1_000
/** Events in one query. */
const WINDOW = 500
/** From one look to the next, however often this process is told. */
const EVERY_MS = 50
/** How long the database has to answer before it is asked for events. */
const ANSWER_MS = 1_000

/**
 * Hands the events of all processes to what this one has in memory. It keeps the number of the last one in memory, and
 * reads on from there when it is told of new ones and by itself each second; so no event is passed over, whoever
 * appended it, whenever that was committed, and whether or not anybody told of it.
 */
export class EventFeed {
  readonly #database: Database
  readonly #log: Logger
  #followers: readonly Follower[] = []
  /** The number of the last event that was handed on; undefined: none yet, and nothing is known of those before. */
  #cursor: number | undefined
  #behind = 0
  #isDue = false
  #looking: Promise<void> | undefined

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#log = log
  }

  /** Events that were numbered at the last look and not handed on yet. */
  get behind(): number {
    return this.#behind
  }

  /** Begins with the events from now on. Returns a function that ends it. */
  async start(followers: readonly Follower[], pollMs = POLL_MS): Promise<() => Promise<void>> {
    this.#followers = followers
    const stopping = new AbortController()
    const { signal } = stopping
    const stops = await Promise.all([
      this.#database.listen(EVENTS_CHANNEL, (payload) => {
        if (payload === '') this.#missed() // after a reconnect, perhaps to a database that lacks what the last one had
        this.#lookSoon(signal)
      }),
      ...formerNotices.map(({ channel, eventOf }) =>
        this.#database.listen(channel, (payload) => {
          if (payload !== '') this.#hand({ id: null, ...eventOf(payload) })
        }),
      ),
    ])
    this.#lookSoon(signal)
    await this.#looking
    const timer = setInterval(() => void this.#poll(signal), pollMs).unref()
    return async () => {
      stopping.abort()
      clearInterval(timer)
      for (const stop of stops) await stop()
      await this.#looking
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    if (await this.#database.answers(ANSWER_MS)) this.#lookSoon(signal)
  }

  #lookSoon(signal: AbortSignal): void {
    this.#isDue = true
    if (!signal.aborted) this.#looking ??= this.#lookAgain(signal)
  }

  async #lookAgain(signal: AbortSignal): Promise<void> {
    while (this.#isDue && !signal.aborted) {
      this.#isDue = false
      await Promise.allSettled([this.#look(), sleep(EVERY_MS, undefined, { signal, ref: false })])
    }
    this.#looking = undefined
  }

  /** Hands on what is new. Never rejects: the next look makes up for one that fails. */
  async #look(): Promise<void> {
    try {
      while (await this.#readWindow());
    } catch (error) {
      this.#log.debug(error, 'events not read')
    }
  }

  /** Returns whether there may be more. */
  async #readWindow(): Promise<boolean> {
    const from = this.#cursor
    const { last, found, forgotten } = await whileAnswering(this.#database, this.#query(from))
    if (forgotten) this.#database.tell([EVENTS_CHANNEL])
    const next = found[0]?.number ?? last + 1
    if (from === undefined || last < from || next !== from + 1) {
      // It begins, numbers went back with a restored database, or what comes next was deleted.
      this.#cursor = last
      this.#behind = 0
      this.#missed()
      return false
    }
    for (const { number, ...event } of found) {
      this.#cursor = number
      this.#hand(event)
    }
    this.#behind = last - (this.#cursor ?? last)
    return found.length === WINDOW
  }

  /** The last number, the events after `from`, and whether some were committed without being numbered since. */
  async #query(
    from = Number.MAX_SAFE_INTEGER,
  ): Promise<{ last: number; found: (HeardEvent & { number: number })[]; forgotten: boolean }> {
    const read = await rows<{
      last: string
      forgotten: boolean
      number: string | null
      id: string
      kind: string
      keys: string[] | null
    }>(
      this.#database.db,
      sql`select n.last, e.number, e.id, e.kind, e.keys, exists (
            select from events where number is null and at < now() - interval '1 second') as forgotten
          from event_numbers n left join lateral (
            select number, id, kind, keys from events where number > ${from} order by number limit ${WINDOW}) e on true
          order by e.number`,
    )
    const found = read.flatMap(({ number, id, kind, keys }) =>
      number === null ? [] : [{ number: Number(number), id: Number(id), kind, keys }],
    )
    return { last: Number(read[0]?.last ?? 0), found, forgotten: read[0]?.forgotten === true }
  }

  #hand(event: HeardEvent): void {
    this.#log.debug(event, 'event')
    for (const follower of this.#followers) follower.heard(event)
  }

  #missed(): void {
    for (const follower of this.#followers) follower.missed()
  }
}
