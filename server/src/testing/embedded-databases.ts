import type { PGlite } from '@electric-sql/pglite'
import { type Asked, emptied, type Made, made } from './emptied.ts'

/** How long work that a test left behind may hold a database before it is given up. */
const RELEASE_WITHIN_MS = 5_000

type Instance = { lite: PGlite; made: Made }

/**
 * Embedded databases for the tests of one process. To open one takes half a second of processor time, to empty one
 * some milliseconds: one that is released is emptied and lent again, unless its tables are no longer as they were made.
 */
export class EmbeddedDatabases {
  readonly #create: () => Promise<PGlite>
  readonly #released: Instance[] = []
  #closed = false

  /** @param create makes a database with its tables, and without other rows than those of migrations */
  constructor(create: () => Promise<PGlite>) {
    this.#create = create
  }

  /** An empty database. Once it is closed, every further call to it is refused, as a closed PGlite refuses it. */
  async open(): Promise<PGlite> {
    const instance = this.#released.pop() ?? (await this.#new())
    let closed = false
    const subscriptions = new Set<() => Promise<void>>()
    const close = async (): Promise<void> => {
      if (closed) throw new Error('PGlite is closed')
      closed = true
      for (const unsubscribe of subscriptions) await unsubscribe()
      await this.#release(instance)
    }
    return new Proxy(instance.lite, {
      get(lite, name) {
        if (name === 'close') return close
        if (name === 'closed') return closed
        const value: unknown = Reflect.get(lite, name, lite)
        if (typeof value !== 'function' || name === 'constructor') return value
        return async (...args: unknown[]) => {
          if (closed) throw new Error('PGlite is closed')
          const answer: unknown = await value.apply(lite, args)
          if (name === 'listen') subscriptions.add(answer as () => Promise<void>)
          return answer
        }
      },
    })
  }

  /**
   * Closes those that nobody uses, and from now on each when it is released: PostgreSQL's own timers keep a process alive,
   * and the `after` hooks of a test file, which release its databases, run after the hook that calls this.
   */
  async close(): Promise<void> {
    this.#closed = true
    for (const { lite } of this.#released.splice(0)) await lite.close()
  }

  async #new(): Promise<Instance> {
    const lite = await this.#create()
    return { lite, made: await made(asked(lite)) }
  }

  async #release(instance: Instance): Promise<void> {
    if (this.#closed) return instance.lite.close()
    const abort = new AbortController()
    const overdue = new Promise<false>((resolve) => {
      const timer = setTimeout(resolve, RELEASE_WITHIN_MS, false)
      abort.signal.addEventListener('abort', () => clearTimeout(timer))
    })
    const emptied = empty(instance).catch(() => false)
    if ((await Promise.race([emptied, overdue])) && !this.#closed) this.#released.push(instance)
    else await instance.lite.close()
    abort.abort()
  }
}

const asked = (lite: PGlite): Asked => ({
  rows: async <Row extends object>(sql: string, values?: unknown[]) =>
    (await lite.query<Row>(sql, values)).rows,
  exec: (sql) => lite.exec(sql),
})

/** Waits until no transaction runs, ends the session of a test, and makes the database again what it was. */
async function empty({ lite, made: before }: Instance): Promise<boolean> {
  // DISCARD ALL, which PGlite can't run: it makes a transaction of several statements and hangs on a single one.
  await lite.exec(
    'unlisten *; reset all; discard temp; select pg_advisory_unlock_all(); set search_path to public',
  )
  return emptied(asked(lite), before)
}
