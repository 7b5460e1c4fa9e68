import type { Logger } from 'pino'
import { z } from 'zod'
import type { Database } from '#server/db/client.ts'
import { catalogueVersion } from '#server/db/schema/shop.ts'
import { isDatabaseUnreachable } from '#server/db/unreachable.ts'
import { whileAnswering } from '#server/db/while-answering.ts'
import { InvalidatingCache } from '#server/http/caching/invalidating-cache.ts'
import { readAgain, readSnapshot, type Snapshot } from './snapshot.ts'

/** Notifies every process of a new version of the public catalogue. */
export const CATALOGUE_CHANNEL = 'catalogue'
/** More changed products than this, and the catalogue is read whole. */
export const MAX_CHANGED = 100
/** Polling interval of the version, for missed notifications. */
const POLL_MS = 10_000

/** There is something to show meanwhile: it waits less than others for a database that does not answer. */
const whileReading = { askAfterMs: 700, answerMs: 700 }
/** How long what was there before is shown while the database does not answer. */
const MAX_STALE_MS = 600_000

const Notice = z.tuple([z.int()], z.string())

/** PostgreSQL refuses a notice of 8,000 bytes. */
const MAX_NOTICE = 7_000

/**
 * What stands before and after its version in the notice of a change: nothing, or, where they are few, the ids of the
 * products that changed, all as JSON. Processes of older versions take the latter for a missed notice.
 */
export function aroundVersion(ids: readonly string[] | undefined): [before: string, after: string] {
  const text = ids?.map((id) => `,${JSON.stringify(id)}`).join('')
  const isSmall =
    text !== undefined && (ids?.length ?? 0) <= MAX_CHANGED && Buffer.byteLength(text) <= MAX_NOTICE
  return isSmall ? ['[', `${text}]`] : ['', '']
}

/** `version` is 0 or NaN for what is no notice of a change. */
function readNotice(payload: string): { version: number; ids?: readonly string[] } {
  if (!payload.startsWith('[')) return { version: Number(payload) }
  const [version, ...ids] = Notice.parse(JSON.parse(payload))
  return { version, ids }
}

/** Something changed since the last read: `since` then, and whether the state before was shown after that. */
type Outdated = { since: number; wasShown: boolean }

/**
 * The public catalogue in memory, read again after any process changed it. While the database does not answer, it stays as
 * it was, for ten minutes: better than no page. Nothing can be bought meanwhile.
 */
export class Catalogue {
  readonly #database: Pick<Database, 'db' | 'answers'>
  readonly #timeZone: string
  readonly #cache = new InvalidatingCache<Snapshot>(1)
  readonly #whenChanged: (() => void)[] = []
  /** The newest version committed when the cache was last cleared; 0: unknown. */
  #version = 0
  /** What was read last; undefined before the first time. */
  #last: Snapshot | undefined
  #outdated: Outdated | undefined
  #clears = 0
  /** The products that `#last` lacks a change of, with the number of clears when the newest was announced. */
  readonly #missing = new Map<string, number>()
  /** As that of `#missing`, of the newest change of unknown products. */
  #missingAll = 0
  /** The number of clears when the reading of `#last` began. */
  #lastOf = -1

  /** @param timeZone the market's, of the dates on cards */
  constructor(database: Pick<Database, 'db' | 'answers'>, timeZone: string) {
    this.#database = database
    this.#timeZone = timeZone
  }

  /** The catalogue as of the last change, or, while the database does not answer, as of the one before. */
  snapshot(): Promise<Snapshot> {
    const reading = this.#cache.get('all', () => this.#read())
    const [last, outdated] = [this.#last, this.#outdated]
    if (last === undefined || outdated === undefined) return reading
    if (performance.now() - outdated.since > MAX_STALE_MS) return reading
    return this.#freshOrLast(reading, last, outdated)
  }

  /** Seconds since the first change that `snapshot` does not show, while the database does not answer; else undefined. */
  get behindS(): number | undefined {
    const { since, wasShown = false } = this.#outdated ?? {}
    return wasShown && since !== undefined ? Math.floor((performance.now() - since) / 1000) : undefined
  }

  async #read(): Promise<Snapshot> {
    const clears = this.#clears
    const snapshot = await this.#readMissing()
    if (clears < this.#lastOf) return snapshot // `#last` is newer
    this.#last = snapshot
    this.#lastOf = clears
    for (const [id, at] of this.#missing) if (at <= clears) this.#missing.delete(id)
    if (clears !== this.#clears) return snapshot // there is something newer already
    const wasShown = this.#outdated?.wasShown
    this.#outdated = undefined
    if (wasShown) for (const then of this.#whenChanged) then() // what was made of the state before must not stay
    return snapshot
  }

  /** What is missing in `#last`, by product where it is known which, and they are few. */
  #readMissing(): Promise<Snapshot> {
    const { db } = this.#database
    const [last, ids] = [this.#last, [...this.#missing.keys()]]
    const isWhole = last === undefined || this.#missingAll > this.#lastOf || ids.length > MAX_CHANGED
    return isWhole ? readSnapshot(db, this.#timeZone) : readAgain(db, this.#timeZone, last, ids)
  }

  async #freshOrLast(reading: Promise<Snapshot>, last: Snapshot, outdated: Outdated): Promise<Snapshot> {
    if (outdated.wasShown)
      reading.catch(() => undefined) // `#read` tells when there is a newer one
    else
      try {
        return await whileAnswering(this.#database, reading, whileReading)
      } catch (error) {
        if (!isDatabaseUnreachable(error)) throw error
      }
    outdated.wasShown = true
    return last
  }

  /** Of how many boxes on cards the state is unknown by then: when it changes, so does what pages show. */
  unknownBy(now: Date): number {
    return this.#last?.unknownFrom.filter((from) => from <= now.getTime()).length ?? 0
  }

  /** Runs `then` whenever the catalogue changed, before the next response is made. */
  onChange(then: () => void): void {
    this.#whenChanged.push(then)
  }

  /**
   * Invalidates the cache after the commit of `version`. Versions commit in order, so one that is not newer has been
   * handled already, such as the notification of our own change; one that is not the next means that others were missed.
   * @param ids the products that changed, where nothing else did
   */
  changed(version: number, ids?: readonly string[]): void {
    if (version <= this.#version) return
    const isNext = version === this.#version + 1
    this.#version = version
    this.#outdate(isNext ? ids : undefined)
  }

  /** Clears the cache: the next response is read from the database, whole. */
  clear(): void {
    this.#outdate(undefined)
  }

  #outdate(ids: readonly string[] | undefined): void {
    this.#cache.clear()
    this.#clears++
    if (ids === undefined) this.#missingAll = this.#clears
    else for (const id of ids) this.#missing.set(id, this.#clears)
    if (this.#last !== undefined) this.#outdated ??= { since: performance.now(), wasShown: false }
    for (const then of this.#whenChanged) then()
  }

  /** Subscribes to changes by all processes. Returns a function that unsubscribes. */
  async follow(database: Database, log: Logger, pollMs = POLL_MS): Promise<() => Promise<void>> {
    const stop = await database.listen(CATALOGUE_CHANNEL, (payload) => {
      const { version, ids } = readNotice(payload)
      log.debug({ version, ids }, 'catalogue changed')
      if (version > 0) this.changed(version, ids)
      else this.clear() // after a reconnect, when notifications may have been missed
    })
    await this.#poll(log)
    const timer = setInterval(() => this.#poll(log), pollMs).unref()
    return async () => {
      clearInterval(timer)
      await stop()
    }
  }

  /** Any version other than the known one clears the cache: after a restore it may be an older one. */
  async #poll(log: Logger): Promise<void> {
    const before = this.#version
    const found = await this.#database.db
      .select()
      .from(catalogueVersion)
      .catch((error: unknown) => {
        log.debug(error, 'catalogue version not read')
        return []
      })
    const version = found[0]?.version ?? before
    if (version === before || this.#version !== before) return // a notification during the query may be newer
    this.#version = version
    this.clear()
  }
}
