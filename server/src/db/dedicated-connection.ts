import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { type Db, type Leadership, rows, type Tx } from './client.ts'
import type { Primary } from './primary.ts'

/** The server ends a session that has been silent for this long, which releases its locks. */
const LEASE_MS = 15_000
const RECONNECT_MS = 1_000

/** Runs one query after the other: node-postgres has no queue of its own any more. */
type Query = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>

/** An open connection. `lost` aborts when it ends. */
type Live = { client: pg.Client; query: Query; pid: number; lost: AbortSignal }

/**
 * The one connection that a process has beside its pool, for what belongs to a session: LISTEN and the advisory locks
 * of leaders. A heartbeat query detects a broken or silent connection, which is closed and replaced. After a reconnect
 * every listener is called, since notifications may have been missed.
 *
 * The server ends the session when it receives nothing for `leaseMs` (idle_session_timeout): a process that hangs, or
 * whose network is down, loses its locks by the server's clock, and `lost` aborts here before that.
 */
export class DedicatedConnection {
  readonly #primary: Primary
  readonly #onError: (error: Error) => void
  readonly #leaseMs: number
  readonly #listeners = new Map<string, Set<(payload: string) => void>>()
  readonly #heldLocks = new Set<number>()
  readonly #closed = new AbortController()
  #live: Promise<Live> | undefined
  #asked: Promise<boolean> | undefined
  #reconnecting: Promise<void> | undefined

  constructor(primary: Primary, onError: (error: Error) => void, leaseMs = LEASE_MS) {
    this.#primary = primary
    this.#onError = onError
    this.#leaseMs = leaseMs
  }

  /**
   * Calls `onNotify` for every notification on `channel`, and with '' after a reconnect.
   * @throws when the database is unreachable now
   */
  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const { query } = await this.#connection()
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(onNotify))
    await query(`listen ${pg.escapeIdentifier(channel)}`)
    return async () => void listeners.delete(onNotify)
  }

  /** Runs `work` while this session holds the advisory lock `key`. Returns false at once when another session does. */
  async lead(key: number, work: (leadership: Leadership) => Promise<void>): Promise<boolean> {
    const { client, query, pid, lost } = await this.#connection()
    const [lock] = await query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [key])
    if (lock?.got !== true) return false
    this.#heldLocks.add(key)
    try {
      await work({ lost, check: (tx) => checkLock(tx, key, pid, lost) })
    } finally {
      this.#heldLocks.delete(key)
      if (!lost.aborted) await query('select pg_advisory_unlock($1)', [key]).catch(() => client.end())
    }
    return true
  }

  /** Does the server answer on this connection within `ms`? Concurrent callers ask one question. */
  async answers(ms: number): Promise<boolean> {
    this.#asked ??= this.#connection()
      .then(({ query }) => query('select 1'))
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#asked = undefined
      })
    // After the pause what has arrived meanwhile is read first: a busy process must not take its own delay for silence.
    const late = sleep(ms).then(() => setImmediate(false))
    return Promise.race([this.#asked, late])
  }

  /** Cancels what the session `pid` runs. */
  async cancel(pid: number): Promise<void> {
    const { query } = await this.#connection()
    await query('select pg_cancel_backend($1)', [pid])
  }

  leads(key: number): boolean {
    return this.#heldLocks.has(key)
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
      connectionString: this.#primary.address,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      keepAlive: true,
    })
    const lost = new AbortController()
    client.on('error', this.#onError)
    client.on('end', () => lost.abort())
    client.on('notification', ({ channel, payload }) => this.#dispatch(channel, payload ?? ''))
    try {
      await client.connect()
      const query = serialize(client)
      await query(`set idle_session_timeout = ${this.#leaseMs}`)
      const [session] = await query<{ pid: number }>('select pg_backend_pid() as pid')
      for (const channel of this.#listeners.keys()) await query(`listen ${pg.escapeIdentifier(channel)}`)
      const live = { client, query, pid: session?.pid ?? 0, lost: lost.signal }
      this.#watch(live)
      return live
    } catch (error) {
      this.#primary.doubt()
      await client.end()
      throw error
    }
  }

  /** Sends a heartbeat until the connection is lost, and closes one that does not respond. */
  #watch({ client, query, lost }: Live): void {
    const opened = this.#live
    let querying = false
    const timer = setInterval(async () => {
      if (querying || this.#closed.signal.aborted) return
      querying = true
      try {
        await query('select 1')
        querying = false
      } catch (error) {
        if (!lost.aborted && !this.#closed.signal.aborted)
          this.#onError(error instanceof Error ? error : new Error(String(error)))
        await client.end() // destroys the socket, since a query is pending
      }
    }, this.#leaseMs / 8)
    const gone = (): void => {
      clearInterval(timer)
      this.#forget(opened)
      this.#primary.doubt()
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
    if (!signal.aborted) for (const channel of this.#listeners.keys()) this.#dispatch(channel, '')
  }

  #dispatch(channel: string, payload: string): void {
    for (const onNotify of this.#listeners.get(channel) ?? []) onNotify(payload)
  }
}

function serialize(client: pg.Client): Query {
  let previous: Promise<unknown> = Promise.resolve()
  return <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
    const result = previous.then(async () => (await client.query<Row>(text, values)).rows)
    previous = result.catch(() => undefined)
    return result
  }
}

/** This process is no longer the leader: its transaction must roll back. */
export class LeadershipLost extends Error {
  constructor() {
    super('Leadership lost: another process may be the leader now.')
    this.name = 'LeadershipLost'
  }
}

/** Advisory locks of this database that sessions hold. Source: PostgreSQL, pg_locks of 64-bit keys. */
const heldLocks = sql`pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and l.locktype = 'advisory' and l.granted
    and l.classid = 0 and l.objsubid = 1`

/** Sessions of this database that hold the advisory lock `key`. */
const holders = (key: number) => sql`${heldLocks} and l.objid = ${key}`

/** Rejects unless session `pid` holds the lock `key` now. @throws LeadershipLost */
async function checkLock(tx: Db | Tx, key: number, pid: number, lost: AbortSignal): Promise<void> {
  const held = lost.aborted ? [] : await rows(tx, sql`select 1 from ${holders(key)} and l.pid = ${pid}`)
  if (held.length === 0) throw new LeadershipLost()
}

/** Seconds since the last heartbeat of the session that holds the lock `key`; null: nobody holds it. */
export async function leaderSilence(db: Db, key: number): Promise<number | null> {
  const [leader] = await rows<{ silence: number }>(
    db,
    sql`select extract(epoch from clock_timestamp() - a.state_change)::float as silence
        from pg_stat_activity a where a.pid in (select l.pid from ${holders(key)})`,
  )
  return leader?.silence ?? null
}

/** Which of `count` locks from `first` on are held by a session: their numbers from 0, in order. */
export async function led(db: Db, first: number, count: number): Promise<number[]> {
  const found = await rows<{ i: number }>(
    db,
    sql`select (l.objid::bigint - ${first})::int as i from ${heldLocks}
        and l.objid::bigint >= ${first} and l.objid::bigint < ${first + count} order by i`,
  )
  return found.map(({ i }) => i)
}
