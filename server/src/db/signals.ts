import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Db, notify, type Tx } from './client.ts'
import { EVENTS_CHANNEL } from './events.ts'
import { formerChannels } from './former-notices.ts'
import { numberEvents } from './number-events.ts'
import { whileAnswering } from './unreachable.ts'

/** A process tells at most once in this time. */
const EVERY_MS = 50
/** A payload: without one a notification says that others may have been missed. */
const NEWS = 'new'

/**
 * Tells all processes, this one among them, of what was committed: at once when nothing was told for a while, at most every
 * 50 ms, in a transaction of its own that numbers the events first. A NOTIFY in the transactions that have the news would
 * make those of the whole cluster commit one after the other. What can't be told is not tried again: whoever listens also
 * looks by itself.
 */
export class Signals {
  readonly #db: Pick<Db, 'transaction'>
  readonly #database: Pick<Database, 'answers'>
  readonly #due = new Set<string>()
  readonly #takers = new Map<string, () => boolean>()
  readonly #closing = new AbortController()
  #telling: Promise<void> | undefined

  constructor(db: Pick<Db, 'transaction'>, database: Pick<Database, 'answers'>) {
    this.#db = db
    this.#database = database
  }

  /** Tells whoever listens, soon. @param news channels, with a payload where `newsOf` gave them one */
  tell(news: Iterable<string>): void {
    if (this.#closing.signal.aborted) return
    for (const one of news) this.#due.add(one)
    if (this.#due.size > 0) this.#telling ??= this.#tellAll()
  }

  /** As `tell`, of a transaction of this process: what is taken here is told to nobody. */
  committed(news: Iterable<string>): void {
    this.tell([...news].filter((one) => this.#takers.get(one)?.() !== true))
  }

  /** Hands this news of this process's own transactions to `take`, which returns whether nobody else has to know. */
  takeOwn(news: string, take: () => boolean): () => void {
    this.#takers.set(news, take)
    return () => {
      if (this.#takers.get(news) === take) this.#takers.delete(news)
    }
  }

  /** Tells what is due, without a pause, and nothing that comes later. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#telling
  }

  async #tellAll(): Promise<void> {
    const { signal } = this.#closing
    while (this.#due.size > 0) {
      const news = [...this.#due]
      this.#due.clear()
      const told = whileAnswering(this.#database, this.#tellNow(news))
      const pause = sleep(EVERY_MS, undefined, { signal })
      await Promise.allSettled([told, pause])
    }
    this.#telling = undefined
  }

  #tellNow(news: readonly string[]): Promise<void> {
    return this.#db.transaction(async (tx) => {
      if (await numberAndNotify(tx, news)) this.#due.add(EVENTS_CHANNEL)
    })
  }
}

/** News for a channel, with what it is about. */
export const newsOf = (channel: string, payload: string): string => `${channel} ${payload}`

/**
 * Notifies, in the caller's transaction, whoever listens; to the channel of the events only when some get their numbers in
 * it. Returns whether there may be more of these.
 * @param news channels, with a payload where `newsOf` gave them one
 */
export async function numberAndNotify(tx: Tx, news: Iterable<string>): Promise<boolean> {
  const told = new Set(news)
  let isMore = false
  if (told.delete(EVENTS_CHANNEL)) {
    const { kinds, more } = await numberEvents(tx)
    isMore = more
    if (kinds.length > 0) for (const channel of [EVENTS_CHANNEL, ...formerChannels(kinds)]) told.add(channel)
  }
  for (const one of told) {
    const [channel = one, payload = one === EVENTS_CHANNEL ? NEWS : ''] = one.split(' ', 2)
    await notify(tx, channel, payload)
  }
  return isMore
}
