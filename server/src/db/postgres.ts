import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { isTracing } from '#server/tracing/trace.ts'
import { advisoryLocks } from './advisory-locks.ts'
import { telling } from './after-commit.ts'
import { type Database, type Db, FROM_REPLICA } from './client.ts'
import { assertOwnSession, StandbyAlone, toConnectionError } from './connection-error.ts'
import { DedicatedConnection, leaderSilence, led } from './dedicated-connection.ts'
import { answersAt, clientOf, Primary, takesWrites } from './primary.ts'
import { Replica } from './replica.ts'
import { schema } from './schema/index.ts'
import { MIGRATIONS, rejectNewerSchema } from './schema-version.ts'
import { Signals } from './signals.ts'
import type { SlowStatements } from './slow-statements.ts'
import { sqlState } from './sql-errors.ts'
import { watchStandbys } from './standbys.ts'
import { watchedClient, watchStatements } from './statements.ts'
import { DatabaseUnreachable, isDatabaseUnreachable } from './unreachable.ts'

/** How long a query waits for a connection of the pool. */
const CONNECT_TIMEOUT_MS = 5_000
/** The server cancels a statement after this, and a transaction that is idle for so long. */
const STATEMENT_MS = 60_000
const IDLE_IN_TRANSACTION_MS = 30_000
const timeouts = {
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
}
/** A server that has not even reported the timeout counts as unreachable. */
const RESPONSE_TIMEOUT_MS = STATEMENT_MS + 5_000

/** Our statements are short: compiling one that the planner takes for long cost a thousand times its run. */
const NO_JIT = '-c jit=off'

/** Parameters of the connections of a shop that no pooler is in front of. */
export const SESSION_PARAMETERS = { ...timeouts, options: NO_JIT }

type PgDb = NodePgDatabase<typeof schema>

/**
 * Where PostgreSQL is: its address, or that of a pooler in transaction mode, with its own for what needs a session that
 * lasts, as notifications, leadership and migrations do; and a replica that answers reads.
 */
export type PostgresAddress =
  | string
  | { direct: string; pooler?: string | undefined; replica?: string | undefined }

/**
 * Opens PostgreSQL and runs the migrations; several processes may start at once. Of several hosts it uses the one that
 * takes writes, and finds the next when that is another.
 * @throws Error whose message says what is wrong with DATABASE_URL or DATABASE_DIRECT_URL, without its password
 * @param onError is called for every lost connection; a new one is opened when needed
 * @param leaseMs how long a leader that hangs keeps its locks
 * @param slow is told how long each statement of the pool and of the replica takes
 */
export async function openPostgres(
  address: PostgresAddress,
  onError: (error: Error) => void,
  leaseMs?: number,
  slow?: SlowStatements,
): Promise<Database> {
  const { pooler, direct: own, replica: at } = typeof address === 'string' ? { direct: address } : address
  const isPooled = pooler !== undefined
  const direct = new Primary(own)
  const primary = isPooled ? new Primary(pooler) : direct
  const setting = isPooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  await prepare(direct, setting).catch((error: unknown) => {
    throw toConnectionError(error, direct.address, setting)
  })
  if (isPooled) await reach(primary)
  const watch = watchStatements(isTracing(), slow)
  const pool = new pg.Pool({
    Client: watchedClient(clientOf(primary), watch),
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    ...(isPooled ? {} : SESSION_PARAMETERS),
    query_timeout: RESPONSE_TIMEOUT_MS,
  })
  // The pool does not handle errors of a client in use, and an unhandled 'error' event ends the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      primary.doubt()
      onError(error)
    }),
  )
  pool.on('error', () => undefined) // of an idle client, which the handler above has seen
  let done = 0
  pool.on('release', (error) => {
    if (sqlState(error) === READ_ONLY) primary.doubt()
    if (!error) done++
  })
  const replica = at === undefined ? undefined : new Replica(at, pool, NO_JIT, watch)
  const db: Db = drizzle(pool, { schema, casing: 'snake_case' })
  const standing = new DedicatedConnection(direct, onError, leaseMs)
  const throughPooler = isPooled ? answersAt(primary) : undefined
  const answers = async (ms: number): Promise<boolean> => {
    const before = done
    const [own, through] = await Promise.all([standing.answers(ms), throughPooler?.(ms) ?? true])
    // The question waits for its turn behind all others: where these have theirs, the pooler answers.
    return own && (through || done > before)
  }
  const signals = new Signals(db, { answers })
  db.transaction = telling(transactions(pool, primary, replica), (news) => signals.committed(news))
  const counts = () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount })
  slow?.planBy({ db, pool: counts })
  return {
    db,
    kind: 'postgres',
    tell: (news) => signals.tell(news),
    takeOwn: (news, take) => signals.takeOwn(news, take),
    listen: (channel, heard) => standing.listen(channel, heard),
    withLeadership: (key, work) => standing.lead(key, work),
    leads: (key) => standing.leads(key),
    led: (first, count) => led(db, first, count),
    leaderSilence: (key) => leaderSilence(db, key),
    answers,
    cancel: (pid, onReplica = false) => (onReplica && replica ? replica : standing).cancel(pid),
    ...(replica && { replica }),
    standbys: watchStandbys(db, direct.addresses.length > 1),
    pool: counts,
    close: async () => {
      await signals.close()
      await standing.close()
      await Promise.all([primary.close(), direct.close(), replica?.close()])
      await pool.end()
    },
  }
}

/** Source: PostgreSQL, appendix A: read_only_sql_transaction, what a standby answers to a write. */
const READ_ONLY = '25006'

/** How often a transaction that met a deadlock or a serialization failure runs again. */
const REPEATS = 3
/** The longest pause before each, growing with their number, so that the same two do not meet again. */
const PAUSE_MS = 25
/** Source: PostgreSQL, appendix A: serialization_failure, deadlock_detected. Both roll the whole transaction back. */
const REPEATABLE = new Set(['40001', '40P01'])

/**
 * `work` of a transaction may run up to four times: what it changes outside the database has to bear that. A client
 * reads about the last failure.
 */
async function repeated<Made>(run: () => Promise<Made>): Promise<Made> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await run()
    } catch (error) {
      if (repeats === REPEATS || !REPEATABLE.has(sqlState(error) ?? '')) throw error
      await sleep(Math.random() * PAUSE_MS * (repeats + 1))
    }
  }
}

/**
 * `db.transaction` that always releases its client: drizzle-orm 0.45 leaks one whose `begin` fails, so that ten broken
 * connections would exhaust the pool. A client that did not respond is destroyed. After a deadlock or a serialization
 * failure it runs again.
 */
function transactions(pool: pg.Pool, primary: Primary, replica: Replica | undefined): PgDb['transaction'] {
  const on = new WeakMap<pg.PoolClient, PgDb>()
  return async (work, config) => {
    const read = config === FROM_REPLICA ? await replica?.tried(work, config) : undefined
    if (read !== undefined) return read.made
    const client = await pool.connect().catch((cause: unknown) => {
      throw new DatabaseUnreachable(cause)
    })
    const db = on.get(client) ?? drizzle(client, { schema, casing: 'snake_case' })
    on.set(client, db)
    let broken = false
    try {
      return await repeated(() => db.transaction(work, config))
    } catch (error) {
      broken = isDatabaseUnreachable(error)
      if (sqlState(error) === READ_ONLY) primary.doubt()
      throw error
    } finally {
      client.release(broken)
    }
  }
}

/** Finds the primary, checks that sessions last, then runs the migrations. */
async function prepare(direct: Primary, setting: string): Promise<void> {
  await direct.find()
  const url = direct.address
  await assertOwnSession(() => connected(url, { ...timeouts, query_timeout: CONNECT_TIMEOUT_MS }), setting)
  if (!(await takesWrites(url))) throw new StandbyAlone(url)
  await migrateOnce(url)
}

/** Connects once to the pooler, so that a wrong address is said at the start. @throws Error for the operator */
async function reach(pooler: Primary): Promise<void> {
  try {
    await pooler.find()
    await (await connected(pooler.address)).end()
  } catch (error) {
    throw toConnectionError(error, pooler.address, 'DATABASE_URL')
  }
}

async function connected(url: string, more: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...more,
  })
  client.on('error', () => undefined) // the query that fails reports it
  await client.connect().catch(async (error: unknown) => {
    await client.end()
    throw error
  })
  return client
}

/** Runs the migrations under an advisory lock: the migrator has none, and two first starts would both create tables. */
async function migrateOnce(url: string): Promise<void> {
  const client = await connected(url)
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migration])
    const db = drizzle(client, { casing: 'snake_case' })
    await rejectNewerSchema(db, MIGRATIONS)
    await migrate(db, { migrationsFolder: MIGRATIONS })
  } finally {
    await client.end() // which releases the lock
  }
}
