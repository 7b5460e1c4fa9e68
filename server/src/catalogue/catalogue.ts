import type { CatalogueApi } from '@befaqt/domain/api/catalogue-api'
import type { Logger } from 'pino'
import { type Database, type Db, notify, type Tx } from '#server/db/client.ts'
import { FreshCache } from '#server/http/fresh-cache.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** Says to every process that the public catalogue changed. */
const CATALOGUE_CHANNEL = 'catalogue'

/** The public catalogue in memory, read again after any process changed it. */
export class Catalogue {
  readonly #db: Db
  readonly #cache = new FreshCache<Snapshot>(1)
  readonly #whenChanged: (() => void)[] = []

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
    this.#cache.clear()
    for (const then of this.#whenChanged) then()
  }

  /** Hears of other processes' changes until the answered function is called. */
  follow(database: Database, log: Logger): Promise<() => Promise<void>> {
    return database.listen(CATALOGUE_CHANNEL, () => {
      log.debug('catalogue changed')
      this.changed()
    })
  }
}

/** To be called inside the transaction of a change: other processes hear of it when it commits. */
export const announceCatalogueChange = (tx: Db | Tx): Promise<unknown> => notify(tx, CATALOGUE_CHANNEL, '')

/** The reading calls of the catalogue, for pages rendered here. */
export const catalogueApi = (catalogue: Catalogue): CatalogueApi => ({
  productsActive: async () => [...(await catalogue.snapshot()).products],
  categoriesActive: async () => [...(await catalogue.snapshot()).categories],
  categoryByTitle: async (title) => (await catalogue.snapshot()).categoryByTitle(title),
  productsByCategory: async (id) => [...(await catalogue.snapshot()).productsOf(id)],
  product: async (id) => (await catalogue.snapshot()).product(id),
})
