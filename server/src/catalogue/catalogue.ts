import { randomUUID } from 'node:crypto'
import type { CatalogueApi } from '@befaqt/domain/api/catalogue-api'
import type { Logger } from 'pino'
import { type Database, type Db, notify, type Tx } from '#server/db/client.ts'
import { InvalidatingCache } from '#server/http/caching/invalidating-cache.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** Says to every process that the public catalogue changed. */
const CATALOGUE_CHANNEL = 'catalogue'
/** Who announces: this process need not hear of its own changes, which it calls `changed()` for. */
const OURSELVES = randomUUID()
/** By then `changed()` was called for a commit that was heard of, unless its outcome never reached us. */
const OUTCOME_KNOWN_MS = 5_000

/** The public catalogue in memory, read again after any process changed it. */
export class Catalogue {
  readonly #db: Db
  readonly #cache = new InvalidatingCache<Snapshot>(1)
  readonly #whenChanged: (() => void)[] = []
  #changedAt = Number.NEGATIVE_INFINITY

  constructor(db: Db) {
    this.#db = db
  }

  /** The catalogue as of the last change. */
  snapshot(): Promise<Snapshot> {
    return this.#cache.get('all', () => readSnapshot(this.#db))
  }

  /** Runs `then` whenever the catalogue changed, before the next answer is made. */
  onChange(then: () => void): void {
    this.#whenChanged.push(then)
  }

  /** To be called after a commit that changed something the public sees, so that this process's next answer has it. */
  changed(): void {
    this.#changedAt = performance.now()
    this.#cache.clear()
    for (const then of this.#whenChanged) then()
  }

  /** Hears of other processes' changes until the answered function is called. */
  async follow(
    database: Database,
    log: Logger,
    outcomeKnownMs = OUTCOME_KNOWN_MS,
  ): Promise<() => Promise<void>> {
    const waiting = new Set<NodeJS.Timeout>()
    const stop = await database.listen(CATALOGUE_CHANNEL, (who) => {
      if (who === OURSELVES) return this.#lookAfterwards(waiting, outcomeKnownMs)
      log.debug('catalogue changed')
      this.changed()
    })
    return async () => {
      for (const timer of waiting) clearTimeout(timer)
      await stop()
    }
  }

  /** A commit of ours whose answer was lost on the way is followed by no `changed()`: then it counts as another's. */
  #lookAfterwards(waiting: Set<NodeJS.Timeout>, outcomeKnownMs: number): void {
    const heardAt = performance.now()
    const timer = setTimeout(() => {
      waiting.delete(timer)
      if (this.#changedAt < heardAt - outcomeKnownMs) this.changed()
    }, outcomeKnownMs)
    waiting.add(timer.unref())
  }
}

/** To be called inside the transaction of a change: other processes hear of it when it commits. Ours calls `changed()`. */
export const announceCatalogueChange = (tx: Db | Tx): Promise<unknown> =>
  notify(tx, CATALOGUE_CHANNEL, OURSELVES)

/** The reading calls of the catalogue, for pages rendered here. */
export const catalogueApi = (catalogue: Catalogue): CatalogueApi => ({
  productsActive: async () => [...(await catalogue.snapshot()).products],
  categoriesActive: async () => [...(await catalogue.snapshot()).categories],
  categoryByTitle: async (title) => (await catalogue.snapshot()).categoryByTitle(title),
  productsByCategory: async (id) => [...(await catalogue.snapshot()).productsOf(id)],
  product: async (id) => (await catalogue.snapshot()).product(id),
})
