import type { Database } from '#server/db/client.ts'
import type { Follower, HeardEvent } from '#server/db/event-feed.ts'
import { eventKinds } from '#server/db/events.ts'
import { isDatabaseUnreachable, whileAnswering } from '#server/db/unreachable.ts'
import { InvalidatingCache } from '#server/http/caching/invalidating-cache.ts'
import { readAgain, readSnapshot, type Snapshot } from './snapshot.ts'

/** More changed products than this, and the catalogue is read whole. */
export const MAX_CHANGED = 100
/** Changes of this process whose events it has not heard yet: at most so many are remembered. */
const MAX_OWN = 1_000

/** There is something to show meanwhile: it waits less than others for a database that does not answer. */
const whileReading = { askAfterMs: 700, answerMs: 700 }
/** How long what was there before is shown while the database does not answer. */
const MAX_STALE_MS = 600_000

/** Something changed since the last read: `since` then, and whether the state before was shown after that. */
type Outdated = { since: number; wasShown: boolean }

/**
 * The public catalogue in memory, read again after any process changed it. While the database does not answer, it stays as
 * it was, for ten minutes: better than no page. Nothing can be bought meanwhile.
 */
export class Catalogue implements Follower {
  readonly #database: Pick<Database, 'db' | 'answers'>
  readonly #timeZone: string
  readonly #cache = new InvalidatingCache<Snapshot>(1)
  readonly #whenChanged: (() => void)[] = []
  /** Events of changes by this process, for which the cache was cleared when they were committed. */
  readonly #own = new Set<number>()
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
   * Invalidates the cache after a commit by this process, before the next response is made.
   * @param event the id of its event, which then changes nothing when it is heard
   * @param ids the products that changed; null: not known which, or categories
   */
  changed(event: number, ids: readonly string[] | null): void {
    this.#own.add(event)
    const [oldest] = this.#own
    if (this.#own.size > MAX_OWN && oldest !== undefined) this.#own.delete(oldest)
    this.#outdate(ids)
  }

  /** Invalidates the cache after a commit by another process. */
  heard({ id, kind, keys }: HeardEvent): void {
    if (kind !== eventKinds.catalogueChanged) return
    if (id === null || !this.#own.delete(id)) this.#outdate(keys)
  }

  missed(): void {
    this.clear()
  }

  /** Clears the cache: the next response is read from the database, whole. */
  clear(): void {
    this.#outdate(null)
  }

  #outdate(ids: readonly string[] | null): void {
    this.#cache.clear()
    this.#clears++
    if (ids === null) this.#missingAll = this.#clears
    else for (const id of ids) this.#missing.set(id, this.#clears)
    if (this.#last !== undefined) this.#outdated ??= { since: performance.now(), wasShown: false }
    for (const then of this.#whenChanged) then()
  }
}
