import { setTimeout as sleep } from 'node:timers/promises'
import type { RestoreProgress } from '@befaqt/domain/restore'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '#server/config/config.ts'
import { listen } from '#server/config/listen.ts'
import type { Database, Db } from '#server/db/client.ts'
import { installation } from '#server/db/schema/installation.ts'
import { whyNotBare } from './bare-shop.ts'
import { restoreFolder } from './restore-folder.ts'
import { endTurn, sayState, stateOf } from './restore-state.ts'
import { restoringApp } from './restoring-app.ts'
import { type RestoreOrder, RestoreProcess } from './run-restore.ts'
import { RESTORED, RESTORED_CHANNEL } from './switch-shops.ts'

/** What is restored once the shop has stopped. */
export type Wanted = Pick<RestoreOrder, 'passphrase' | 'owner' | 'tab'>

/**
 * Puts a restored shop in the place of this one, in one process: it stops, the other is restored while a page says how far
 * that is, and it starts again. null: it only starts again, since another process restored.
 */
export class Replacement {
  readonly #asked = Promise.withResolvers<Wanted | null>()
  #wanted: Wanted | null = null
  #refused: string | null = null
  #running: RestoreProcess | undefined
  #app: FastifyInstance | undefined

  /** Resolves when somebody wants it. */
  readonly asked: Promise<Wanted | null> = this.#asked.promise

  ask(wanted: Wanted | null): void {
    this.#wanted = wanted
    this.#asked.resolve(wanted)
  }

  /** Once nothing of this process writes any more, and its database is open still: the embedded one has no other. */
  async lastLook(db: Db): Promise<void> {
    if (this.#wanted !== null) this.#refused = await whyNotBare(db, this.#wanted.owner)
  }

  /** Restores, of a shop that has stopped. How it ended is in the folder of restores. */
  async run(config: Config, log: Logger): Promise<void> {
    if (this.#wanted === null) return
    try {
      await this.#restore(this.#wanted, config, log)
    } finally {
      await endTurn(restoreFolder(config))
    }
  }

  async #restore(wanted: Wanted, config: Config, log: Logger): Promise<void> {
    const about = (await stateOf(restoreFolder(config)))?.progress?.about ?? 0
    const progress = { step: 'restoring', since: new Date().toISOString(), ...NOTHING, about } as const
    this.#app = await restoringApp(config, log, () => this.#running?.progress ?? progress)
    await listen(this.#app, config)
    if (this.#refused !== null) {
      const outcome = { at: new Date().toISOString(), ok: false, words: [this.#refused] }
      await sayState(restoreFolder(config), { tab: wanted.tab, progress: null, outcome })
      return
    }
    this.#running = new RestoreProcess({ what: 'restore', config, ...wanted })
    const { ok, words } = await this.#running.ended
    await this.#running.gone()
    if (this.#running.progress !== null) this.#running.progress.step = 'starting'
    log[ok ? 'info' : 'warn']({ words }, ok ? 'restored a backup' : 'a backup was not restored')
  }

  /** The page that says how far it is goes when the shop is about to answer. */
  async beforeListen(): Promise<void> {
    const closing = this.#app?.close()
    this.#app?.server.closeAllConnections()
    await closing
  }

  /** Ends it, wherever it is: the next start goes on, or finds all as it was. */
  async stop(): Promise<void> {
    await this.#running?.kill()
    await this.beforeListen()
  }
}

/** How long until a database that could not be asked is asked again. */
const ASK_AGAIN_MS = 1_000

/**
 * Tells where another process restored a shop into this one's database: told of it, or found when the connection that
 * hears was lost meanwhile. That it was lost says nothing by itself.
 * @returns what ends it
 */
export async function watchForAnother(
  database: Pick<Database, 'db' | 'listen'>,
  found: () => void,
): Promise<() => Promise<void>> {
  const before = Promise.withResolvers<string | undefined>()
  const stop = new AbortController()
  let isDue = false
  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    while (isDue && !stop.signal.aborted) {
      isDue = false
      try {
        if ((await restoredId(database.db)) !== (await before.promise)) found()
      } catch {
        isDue = true // as while another shop is restored into the tables, which waits for nobody
        await sleep(ASK_AGAIN_MS, undefined, { signal: stop.signal }).catch(() => undefined)
      }
    }
    looking = undefined
  }
  const unlisten = await database.listen(RESTORED_CHANNEL, () => {
    isDue = true
    looking ??= look()
  })
  before.resolve(await restoredId(database.db))
  return async () => {
    stop.abort()
    await unlisten()
    await looking
  }
}

/** Of the restore that made this database what it is. */
async function restoredId(db: Db): Promise<string | undefined> {
  const { name, value } = installation
  const [row] = await db.select({ value }).from(installation).where(eq(name, RESTORED))
  return row?.value
}

const NOTHING: Omit<RestoreProgress, 'step' | 'since' | 'about'> = { rows: 0, objects: 0, bytes: 0 }
