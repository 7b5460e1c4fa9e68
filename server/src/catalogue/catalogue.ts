import type { Logger } from 'pino'
import type { Database, Db } from '#server/db/client.ts'
import { catalogueVersion } from '#server/db/schema/shop.ts'
import { InvalidatingCache } from '#server/http/caching/invalidating-cache.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** Notifies every process of a new version of the public catalogue. */
export const CATALOGUE_CHANNEL = 'catalogue'
/** Polling interval of the version, for missed notifications. */
const POLL_MS = 10_000

/** The public catalogue in memory, read again after any process changed it. */
export class Catalogue {
  readonly #db: Db
  readonly #timeZone: string
  readonly #cache = new InvalidatingCache<Snapshot>(1)
  readonly #whenChanged: (() => void)[] = []
  /** The newest version committed when the cache was last cleared; 0: unknown. */
  #version = 0

  /** @param timeZone the market's, of the dates on cards */
  constructor(db: Db, timeZone: string) {
    this.#db = db
    this.#timeZone = timeZone
  }

  /** The catalogue as of the last change. */
  snapshot(): Promise<Snapshot> {
    return this.#cache.get('all', () => readSnapshot(this.#db, this.#timeZone))
  }

  /** Runs `then` whenever the catalogue changed, before the next response is made. */
  onChange(then: () => void): void {
    this.#whenChanged.push(then)
  }

  /**
   * Invalidates the cache after the commit of `version`. Versions commit in order, so one that is not newer has been
   * handled already, such as the notification of our own change.
   */
  changed(version: number): void {
    if (version <= this.#version) return
    this.#version = version
    this.clear()
  }

  /** Clears the cache: the next response is read from the database. */
  clear(): void {
    this.#cache.clear()
    for (const then of this.#whenChanged) then()
  }

  /** Subscribes to changes by all processes. Returns a function that unsubscribes. */
  async follow(database: Database, log: Logger, pollMs = POLL_MS): Promise<() => Promise<void>> {
    const stop = await database.listen(CATALOGUE_CHANNEL, (payload) => {
      const version = Number(payload)
      log.debug({ version }, 'catalogue changed')
      if (version > 0) this.changed(version)
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
    const found = await this.#db
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
