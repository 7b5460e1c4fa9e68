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
  readonly #closing = new AbortController()
  #telling: Promise<void> | undefined

  constructor(db: Pick<Db, 'transaction'>, database: Pick<Database, 'answers'>) {
    this.#db = db
    this.#database = database
  }

  /** Tells whoever listens to these channels, soon. */
  tell(channels: Iterable<string>): void {
    if (this.#closing.signal.aborted) return
    for (const channel of channels) this.#due.add(channel)
    if (this.#due.size > 0) this.#telling ??= this.#tellAll()
  }

  /** Tells what is due, without a pause, and nothing that comes later. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#telling
  }

  async #tellAll(): Promise<void> {
    const { signal } = this.#closing
    while (this.#due.size > 0) {
      const channels = [...this.#due]
      this.#due.clear()
      const told = whileAnswering(this.#database, this.#tellNow(channels))
      const pause = sleep(EVERY_MS, undefined, { signal })
      await Promise.allSettled([told, pause])
    }
    this.#telling = undefined
  }

  #tellNow(channels: readonly string[]): Promise<void> {
    return this.#db.transaction(async (tx) => {
      if (await numberAndNotify(tx, channels)) this.#due.add(EVENTS_CHANNEL)
    })
  }
}

/**
 * Notifies, in the caller's transaction, whoever listens to these channels; to that of the events only when some get their
 * numbers in it. Returns whether there may be more of these.
 */
export async function numberAndNotify(tx: Tx, channels: Iterable<string>): Promise<boolean> {
  const told = new Set(channels)
  let isMore = false
  if (told.delete(EVENTS_CHANNEL)) {
    const { kinds, more } = await numberEvents(tx)
    isMore = more
    if (kinds.length > 0) for (const channel of [EVENTS_CHANNEL, ...formerChannels(kinds)]) told.add(channel)
  }
  for (const channel of told) await notify(tx, channel, channel === EVENTS_CHANNEL ? NEWS : '')
  return isMore
}
