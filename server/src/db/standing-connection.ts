import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Leadership } from './client.ts'
import { checkLock } from './leadership.ts'

/** The server ends a session that has been silent for so long, and with it gives back the locks that it held. */
const LEASE_MS = 15_000
const RECONNECT_MS = 1_000

/** Asks one thing after the other: node-postgres has no queue of its own any more. */
type Ask = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>

/** One connection from its opening to its end. */
type Live = { client: pg.Client; ask: Ask; pid: number; lost: AbortSignal }

/**
 * The one connection that a process keeps beside its pool, for what belongs to a connection: LISTEN and the advisory
 * locks of leaders. It is asked again and again whether it still answers. One that broke, or that went silent, is
 * closed and replaced; that counts as news on every channel, since some may have been missed.
 *
 * The server ends the session when it hears nothing for `leaseMs` (idle_session_timeout): so a process that hangs, or
 * whose network is gone, loses its locks by the server's clock, and here they are known to be lost before that.
 */
export class StandingConnection {
  readonly #url: string
  readonly #onError: (error: Error) => void
  readonly #leaseMs: number
  readonly #listeners = new Map<string, Set<(payload: string) => void>>()
  readonly #led = new Set<number>()
  readonly #closed = new AbortController()
  #live: Promise<Live> | undefined
  #reconnecting: Promise<void> | undefined

  constructor(url: string, onError: (error: Error) => void, leaseMs = LEASE_MS) {
    this.#url = url
    this.#onError = onError
    this.#leaseMs = leaseMs
  }

  /** Calls `heard` for every notification on `channel`, and with '' after a reconnect. @throws when nobody answers now */
  async listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>> {
    const { ask } = await this.#connection()
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(heard))
    await ask(`listen ${pg.escapeIdentifier(channel)}`)
    return async () => void listeners.delete(heard)
  }

  /** Runs `work` while this session holds the advisory lock `key`; answers false at once when another one does. */
  async lead(key: number, work: (leadership: Leadership) => Promise<void>): Promise<boolean> {
    const { client, ask, pid, lost } = await this.#connection()
    const [lock] = await ask<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [key])
    if (lock?.got !== true) return false
    this.#led.add(key)
    try {
      await work({ lost, check: (tx) => checkLock(tx, key, pid, lost) })
    } finally {
      this.#led.delete(key)
      if (!lost.aborted) await ask('select pg_advisory_unlock($1)', [key]).catch(() => client.end())
    }
    return true
  }

  leads(key: number): boolean {
    return this.#led.has(key)
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#reconnecting
    const live = await this.#live?.catch(() => undefined)
    await live?.client.end()
  }

  #connection(): Promise<Live> {
    if (this.#live === undefined) {
      const opening = this.#open()
      this.#live = opening
      opening.catch(() => this.#forget(opening))
    }
    return this.#live
  }

  async #open(): Promise<Live> {
    const answerMs = this.#leaseMs / 3
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
    })
    const lost = new AbortController()
    client.on('error', this.#onError)
    client.on('end', () => lost.abort())
    client.on('notification', ({ channel, payload }) => this.#tell(channel, payload ?? ''))
    try {
      await client.connect()
      const ask = serialize(client)
      await ask(`set idle_session_timeout = ${this.#leaseMs}`)
      const [session] = await ask<{ pid: number }>('select pg_backend_pid() as pid')
      for (const channel of this.#listeners.keys()) await ask(`listen ${pg.escapeIdentifier(channel)}`)
      const live = { client, ask, pid: session?.pid ?? 0, lost: lost.signal }
      this.#watch(live)
      return live
    } catch (error) {
      await client.end()
      throw error
    }
  }

  /** Asks for a sign of life until the connection is gone, and cuts one that gives none. */
  #watch({ client, ask, lost }: Live): void {
    const opened = this.#live
    let asking = false
    const timer = setInterval(async () => {
      if (asking || this.#closed.signal.aborted) return
      asking = true
      try {
        await ask('select 1')
        asking = false
      } catch (error) {
        if (!lost.aborted && !this.#closed.signal.aborted)
          this.#onError(error instanceof Error ? error : new Error(String(error)))
        await client.end() // destroys the socket while a question is open
      }
    }, this.#leaseMs / 8)
    const gone = (): void => {
      clearInterval(timer)
      this.#forget(opened)
      if (!this.#closed.signal.aborted) this.#reconnecting ??= this.#reconnect()
    }
    if (lost.aborted) gone()
    else lost.addEventListener('abort', gone, { once: true })
  }

  #forget(live: Promise<Live> | undefined): void {
    if (this.#live === live) this.#live = undefined
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closed
    while (!signal.aborted) {
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
      const live = signal.aborted ? undefined : await this.#connection().catch(() => undefined)
      if (live !== undefined && !live.lost.aborted) break
    }
    this.#reconnecting = undefined
    if (!signal.aborted) for (const channel of this.#listeners.keys()) this.#tell(channel, '')
  }

  #tell(channel: string, payload: string): void {
    for (const heard of this.#listeners.get(channel) ?? []) heard(payload)
  }
}

function serialize(client: pg.Client): Ask {
  let before: Promise<unknown> = Promise.resolve()
  return <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const answer = before.then(async () => (await client.query<Row>(text, values)).rows)
    before = answer.catch(() => undefined)
    return answer
  }
}
