import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { schema } from './schema/index.ts'
import { sqlState } from './sql-errors.ts'
import { type StatementWatch, watchedClient } from './statements.ts'
import { isDatabaseUnreachable } from './unreachable.ts'

type PgDb = NodePgDatabase<typeof schema>
type Transaction = PgDb['transaction']

/** How long a connection, and an answer about how far it is, may take before the primary is asked instead. */
const ANSWER_MS = 1_000
/** How long a read waits for what was committed before it began. */
const WAIT_MS = 100
const LOOK_MS = 5
/** After a failure nobody tries for so long, so that reads are not held up by a replica that is away. */
const REST_MS = 5_000
/** A read that takes longer is done at the primary. */
const READ_MS = 15_000
/** For how long it may be behind all the time before that is reported. */
const LATE_MS = 10_000

const SILENT = 'it does not answer, or ends what is read'

/** Why a read is not done here. */
class Unusable extends Error {
  readonly isLate: boolean
  constructor(message: string, isLate = false) {
    super(message)
    this.name = 'Unusable'
    this.isLate = isLate
  }
}

type Position = { end: string; system: string; timeline: number; database: number }
type State = Position & { standby: boolean }

/** A replica as the shop sees it. */
export type ReplicaState = {
  /** Why reads go to the primary; null: they do not, but for a moment. */
  fault: string | null
  /** Reads since the start, by where they were answered. */
  reads: { replica: number; primary: number }
}

/**
 * A streaming replica that answers reads which may be long. A read begins there only when it has replayed all that was in
 * the log of the primary when the read came; else the primary answers. So no reader, whatever they wrote or saw before,
 * and in whichever process, sees an earlier state, and no session has to carry what it has seen.
 */
export class Replica {
  readonly #pool: pg.Pool
  readonly #primary: pg.Pool
  readonly #on = new WeakMap<pg.PoolClient, PgDb>()
  readonly #reads = { replica: 0, primary: 0 }
  #failed: { at: number; since: number; error: Unusable } | undefined

  constructor(url: string, primary: pg.Pool, options: string, watch?: StatementWatch) {
    this.#primary = primary
    this.#pool = new pg.Pool({
      Client: watchedClient(pg.Client, watch),
      connectionString: url,
      max: 10,
      connectionTimeoutMillis: ANSWER_MS,
      keepAlive: true,
      options: `${options} -c default_transaction_read_only=on`,
      statement_timeout: READ_MS + 5_000, // the client gives up first, which is no cancelling
      query_timeout: READ_MS,
    })
    this.#pool.on('connect', (client) => client.on('error', () => undefined)) // the query that fails reports it
    this.#pool.on('error', () => undefined)
  }

  /** Runs `work` there; undefined: the primary has to. What `work` itself refuses is thrown. */
  async tried<Made>(
    work: (tx: Parameters<Parameters<Transaction>[0]>[0]) => Promise<Made>,
    config: Parameters<Transaction>[1],
  ): Promise<{ made: Made } | undefined> {
    const rests =
      this.#failed !== undefined && !this.#failed.error.isLate && Date.now() - this.#failed.at < REST_MS
    const read = rests ? undefined : await this.#read((db) => db.transaction(work, config))
    this.#reads[read === undefined ? 'primary' : 'replica']++
    return read
  }

  /** Looks how it is now. @param lateMs for which it may be behind */
  async look(lateMs = LATE_MS): Promise<ReplicaState> {
    await this.#read(async () => undefined)
    const failed = this.#failed
    const isReported = failed && (!failed.error.isLate || failed.at - failed.since >= lateMs)
    return { fault: isReported ? failed.error.message : null, reads: { ...this.#reads } }
  }

  /** Cancels what a session there runs. */
  async cancel(pid: number): Promise<void> {
    await this.#pool.query('select pg_cancel_backend($1)', [pid])
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  async #read<Made>(work: (db: PgDb) => Promise<Made>): Promise<{ made: Made } | undefined> {
    const wanted = await positionOf(this.#primary).catch(() => undefined)
    if (wanted === undefined) return undefined // the primary says itself what is wrong with it
    let client: pg.PoolClient | undefined
    let isBroken = true
    try {
      client = await this.#pool.connect()
      await reached(client, wanted).catch((error: unknown) => {
        throw error instanceof Unusable ? error : new Unusable(SILENT)
      })
      const db = this.#on.get(client) ?? drizzle(client, { schema, casing: 'snake_case' })
      this.#on.set(client, db)
      const made = await work(db)
      isBroken = false
      this.#failed = undefined
      return { made }
    } catch (error) {
      isBroken = error instanceof Unusable ? !error.isLate : isDatabaseUnreachable(error)
      if (client !== undefined && !(error instanceof Unusable) && isOfWork(error)) throw error
      this.#note(error instanceof Unusable ? error : new Unusable(SILENT))
      return undefined
    } finally {
      client?.release(isBroken)
    }
  }

  #note(error: Unusable): void {
    const at = Date.now()
    this.#failed = { at, since: this.#failed?.since ?? at, error }
  }
}

/** Source: PostgreSQL, appendix A: query_canceled, which whoever waited asked for. */
const CANCELED = '57014'

/** Is it the reader's own, as that there is no such box, and not of the database that is read? */
const isOfWork = (error: unknown): boolean =>
  sqlState(error) === CANCELED || (sqlState(error) === undefined && !isDatabaseUnreachable(error))

/** Where the log of the primary ends, and whose it is. */
async function positionOf(primary: pg.Pool): Promise<Position | undefined> {
  const { rows } = await primary.query<Position>(
    `select (pg_current_wal_insert_lsn() - '0/0')::text as "end",
       ('x' || lpad(left(pg_walfile_name(pg_current_wal_insert_lsn()), 8), 8, '0'))::bit(32)::int as timeline,
       (select system_identifier::text from pg_control_system()) as system,
       (select oid::int from pg_database where datname = current_database()) as database`,
  )
  return rows[0]
}

/** Waits for a moment until all of that is replayed. @throws Unusable */
async function reached(client: pg.PoolClient, wanted: Position): Promise<void> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const { standby, end, system, timeline, database } = await stateOf(client)
    if (system !== wanted.system || database !== wanted.database)
      throw new Unusable('it is not a replica of this database')
    if (!standby) throw new Unusable('it is no standby: it was promoted, or is the primary')
    if (timeline !== wanted.timeline)
      throw new Unusable('it follows another history than that of the primary, as before a takeover')
    if (BigInt(end) >= BigInt(wanted.end)) return
    if (performance.now() >= until) throw new Unusable('it is behind', true)
    await sleep(LOOK_MS)
  }
}

async function stateOf(client: pg.PoolClient): Promise<State> {
  const late = new AbortController()
  const asked = client.query<State>(
    `select pg_is_in_recovery() as standby,
       (coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0')::text as "end",
       (select min_recovery_end_timeline from pg_control_recovery()) as timeline,
       (select system_identifier::text from pg_control_system()) as system,
       (select oid::int from pg_database where datname = current_database()) as database`,
  )
  asked.catch(() => undefined)
  const timer = sleep(ANSWER_MS, undefined, { signal: late.signal })
  timer.catch(() => undefined)
  try {
    const answer = await Promise.race([asked, timer])
    const state = answer?.rows[0]
    if (state === undefined) throw new Unusable(SILENT)
    return state
  } finally {
    late.abort()
  }
}
