import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from './client.ts'

/**
 * Every number of an advisory lock, each used once: PostgreSQL has one space of them for a whole database, and two uses of
 * one number wait for each other. They stay what they are, since processes of two versions run side by side during an
 * upgrade.
 */
export const advisoryLocks = {
  /** Held by the session of the one process that anchors. */
  anchoring: 0xbefa01,
  /**
   * Held by the session of the process that takes the first share of readings at the outside MQTT broker: all of them where
   * they can't be divided, as the version before did.
   */
  broker: 0xbefa02,
  /** With the number of a share added: held by the session of the process that takes it. */
  brokerShares: 0xbefb00,
  /** With a number added: held by each process that takes shares, so that all know how many there are. */
  brokerMembers: 0xbefc00,
  /** With the number of a share added: held while its session at the broker is known to be subscribed. */
  brokerSubscribed: 0xbefd00,
  /** One process at a time creates the operator key of a machine: a web process and a worker may start together. */
  operatorKey: 0xbefa03,
  /** One process at a time decides whether there is an administrator. */
  firstAdmin: 4_207_311,
  /** One process at a time runs the migrations. */
  migration: 0xbefa97,
  /** Held by the session of the one drill that restores a backup beside this database. */
  drill: 0xbefa04,
  /** The tests' migrated database is made once on a server. */
  testTemplate: 0xbefa98,
} as const

/** What comes before the id in the text whose hash is the number of a lock. */
const prefixes = {
  /** One request of a user, or of a guest's checkout. */
  checkout: 'checkout ',
  /** What witnesses signed of one log, by its name. */
  cosignatures: 'cosignatures ',
  /** The email of whoever uses a coupon. */
  customer: 'customer ',
  /** An entry of a supplier's phone. */
  fieldEntry: 'field ',
  /** The path of a file, for it and its variants. */
  file: '',
  /** What the numbers of labels begin with. */
  labels: 'labels ',
  /** The hash of an Idempotency-Key. */
  repeatable: '',
  /** The rules that slots are made by; without an id. */
  slotRules: 'slot rules',
  /** The views of one list of the desk, of everybody. */
  views: 'views ',
  /** What boxes that were weighed still give to orders and holds, of all their products; without an id. */
  weighedBoxes: 'weighed boxes',
  /** How many webhooks there are; without an id. */
  webhooks: 'webhooks',
} as const

type Kind = keyof typeof prefixes

const hashOfName = (kind: Kind, id: string): SQL => sql`hashtextextended(${`${prefixes[kind]}${id}`}, 0)`

/** Waits for the advisory lock and holds it until the transaction ends. */
export const lockUntilCommit = (tx: Db | Tx, key: number): Promise<unknown> =>
  rows(tx, sql`select pg_advisory_xact_lock(${key})`)

/** As `lockUntilCommit`, for one `id` of a kind. */
export const lockNamed = (tx: Db | Tx, kind: Kind, id = ''): Promise<unknown> =>
  rows(tx, sql`select pg_advisory_xact_lock(${hashOfName(kind, id)})`)

/** As `lockNamed`, for several ids of a kind in one order, so that two transactions never wait for each other. */
export async function lockAllNamed(tx: Tx, kind: Kind, ids: Iterable<string>): Promise<void> {
  const all = [...new Set(ids)].sort()
  if (all.length > 0)
    await rows(tx, sql`select pg_advisory_xact_lock(${hashOfEach(kind)}) from ${unnested(all)}`)
}

/** As `lockAllNamed`, without waiting. Returns the ids that no other transaction holds. */
export async function tryLockAllNamed(tx: Tx, kind: Kind, ids: readonly string[]): Promise<Set<string>> {
  const locked = await rows<{ id: string; free: boolean }>(
    tx,
    sql`select id, pg_try_advisory_xact_lock(${hashOfEach(kind)}) as free from ${unnested(ids)}`,
  )
  return new Set(locked.filter(({ free }) => free).map(({ id }) => id))
}

const unnested = (ids: readonly string[]): SQL => sql`unnest(${sql.param([...ids])}::text[]) as named(id)`

const hashOfEach = (kind: Kind): SQL => sql`hashtextextended(${prefixes[kind]}::text || id, 0)`
