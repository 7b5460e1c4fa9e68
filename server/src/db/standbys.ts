import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from './client.ts'

/**
 * Has the commit of this transaction wait until a synchronous standby has it on its disk, where PostgreSQL has one: for
 * what is told to somebody who will not say it again, as a buyer, a chain or a card's provider. All that was committed
 * before is there then, too. What waits for more by itself (`remote_apply`) is left so: for the standby to show it is not
 * needed, and a long query there would keep buyers waiting.
 */
export const awaitStandby = (tx: Db | Tx): Promise<unknown> =>
  rows(
    tx,
    sql`select set_config('synchronous_commit', 'on', true)
        where current_setting('synchronous_commit') in ('off', 'local', 'remote_write')`,
  )

/** How the standbys of a database are. */
export type StandbyState = {
  /** What is wrong and what it may cost, in words that stay the same while it is so; null: nothing is. */
  fault: string | null
  /** Standbys that follow the primary, those of them that commits wait for, and how many of these there should be. */
  following: number
  synchronous: number
  wanted: number
  /** What would be gone with the primary: since when nothing that was committed is on a standby for sure. */
  atRisk: { since: Date; orders: number; anchors: number } | null
}

/** Looks at the standbys of a database. Concurrent callers look once, and one second's answer is given again. */
export type StandbyWatch = { look(): Promise<StandbyState> }

/** A standby that is behind by more is reported: one that follows is behind by milliseconds. */
const LATE_S = 10
/** Positions that are remembered, one a second at most: older ones than ten minutes are one. */
const MAX_KEPT = 600
const CACHE_MS = 1_000

/** `hidden`: the role of the shop may not see how it is. `flushed`: up to where it has the log of the primary on its disk. */
type Standby = { name: string; hidden: boolean; follows: boolean; sync: boolean; flushed: number | null }
/** `written`: where the log of the primary ends; null: this is a standby. `absent`: slots that no standby uses. */
type Look = {
  at: number
  written: number | null
  names: string
  standbys: Standby[]
  absent: string[]
}

/**
 * @param expected the shop was given several hosts: one of them should follow the other
 * @param lateS seconds that a standby may be behind
 */
export function watchStandbys(db: Db | Tx, expected: boolean, lateS = LATE_S): StandbyWatch {
  /** Where the log of the primary ended at some moments, the oldest first. */
  const kept: { at: number; written: number }[] = []
  const look = async (): Promise<StandbyState> => {
    const now = await readStandbys(db)
    const { at, written, standbys } = now
    if (written === null) return NO_STANDBYS // it is one itself by now
    const newest = kept.at(-1)
    if (newest !== undefined && newest.written > written) kept.length = 0 // another server, with a log of its own
    kept.push({ at, written })
    if (kept.length > MAX_KEPT) kept.splice(1, 1)
    // The newest moment up to which a standby has all, or else the first that is known, becomes the oldest that is kept.
    const safe = Math.max(...standbys.map(({ flushed }) => flushed ?? 0), 0)
    const lacking = kept.findIndex((moment) => moment.written > safe)
    if (safe > 0) kept.splice(0, Math.max(0, (lacking < 0 ? kept.length : lacking) - 1))
    const since = kept[0]?.at ?? at
    const fault = faultOf(now, expected, { behindS: at - since, lateS })
    const following = standbys.filter(({ follows }) => follows)
    return {
      fault,
      following: following.length,
      synchronous: following.filter(({ sync }) => sync).length,
      wanted: wantedOf(now.names),
      atRisk: fault === null ? null : await countSince(db, new Date(since * 1_000)),
    }
  }
  let cached: Promise<StandbyState> | undefined
  const expire = (): void => {
    cached = undefined
  }
  return {
    look: () => {
      cached ??= look().finally(() => setTimeout(expire, CACHE_MS).unref())
      return cached
    },
  }
}

/** Where there are none, and none is wanted. */
export const NO_STANDBYS: StandbyState = {
  fault: null,
  following: 0,
  synchronous: 0,
  wanted: 0,
  atRisk: null,
}

type Lag = {
  /** Seconds for which no standby has had all, and after which that is a fault. */
  behindS: number
  lateS: number
}

/** What is wrong with the standbys. */
function faultOf(
  { names, standbys, absent }: Look,
  expected: boolean,
  { behindS, lateS }: Lag,
): string | null {
  const wanted = wantedOf(names)
  const isHidden = standbys.some(({ hidden }) => hidden)
  if (wanted > 0) {
    const synchronous = standbys.filter(({ follows, sync }) => follows && sync)
    if (isHidden) return HIDDEN
    if (synchronous.length < wanted)
      return (
        `${synchronous.length} of ${wanted} synchronous ${wanted === 1 ? 'standby is' : 'standbys are'} connected ` +
        `(synchronous_standby_names = ${names}): orders and anchors wait until that changes, and nothing is sold`
      )
    if (behindS <= lateS) return null
    return `${named(synchronous)} more than ${lateS} s behind: orders and anchors wait for it`
  }
  if (isHidden) return expected ? HIDDEN : null
  const following = standbys.filter(({ follows }) => follows)
  if (following.length > 0)
    return behindS <= lateS
      ? null
      : `${named(following)} more than ${lateS} s behind, and nothing waits for it: the orders, anchors, readings and all other changes that it lacks are lost if it takes over now`
  if (!expected && absent.length === 0) return null
  const which = absent.length === 0 ? '' : ` (${absent.join(', ')} should be)`
  return `no standby is connected${which}: what comes in from now on, orders, anchors, readings and all other changes, is lost if the primary is`
}

const HIDDEN =
  'the role of the shop may not see how standbys are, so nobody is told of one that is missing: grant pg_read_all_stats to it'

const named = (standbys: readonly Standby[]): string => {
  const names = standbys.map(({ name }) => name).join(', ')
  return standbys.length === 1 ? `the standby ${names} is` : `the standbys ${names} are`
}

/** How many synchronous standbys commits wait for. Source: PostgreSQL, synchronous_standby_names. */
function wantedOf(names: string): number {
  if (names.trim() === '') return 0
  return Number(/^\s*(?:first\s+|any\s+)?(\d+)\s*\(/i.exec(names)?.[1] ?? 1)
}

/**
 * Standbys alone, without backups that are being made and what follows changes of rows. Columns are null to a role that
 * may not see them.
 */
async function readStandbys(db: Db | Tx): Promise<Look> {
  const [now] = await rows<Omit<Look, 'absent'> & { absent: string[] }>(
    db,
    sql`with here as (select case when pg_is_in_recovery() then null else pg_current_wal_flush_lsn() end as lsn)
        select extract(epoch from clock_timestamp())::float as at, (lsn - '0/0')::float as written,
          current_setting('synchronous_standby_names') as names,
          coalesce((select json_agg(json_build_object(
              'name', coalesce(nullif(r.application_name, ''), host(r.client_addr), 'without a name'),
              'hidden', r.state is null,
              'follows', coalesce(r.state in ('catchup', 'streaming'), false),
              'sync', coalesce(r.sync_state in ('sync', 'quorum'), false),
              'flushed', (r.flush_lsn - '0/0')::float))
            from pg_stat_replication r left join pg_replication_slots s on s.active_pid = r.pid
            where coalesce(s.slot_type, 'physical') = 'physical' and coalesce(r.state, '') <> 'backup'
              and coalesce(r.application_name, '') <> 'pg_basebackup'), '[]'::json) as standbys,
          coalesce((select json_agg(slot_name order by slot_name) from pg_replication_slots
            where slot_type = 'physical' and not active and not temporary), '[]'::json) as absent
        from here`,
  )
  if (now === undefined) throw new Error('a query without a table answers one row')
  return now
}

/** What was made since then, and would be gone. Anchors are few, and read from the newest. */
async function countSince(db: Db | Tx, since: Date): Promise<NonNullable<StandbyState['atRisk']>> {
  const [n] = await rows<{ orders: number; anchors: number }>(
    db,
    sql`select (select count(*)::int from (select from orders where created_at >= ${since.toISOString()} limit 10000) o) as orders,
          (select count(*)::int from (select created_at from anchors order by index desc limit 10000) a
            where created_at >= ${since.toISOString()}) as anchors`,
  )
  return { since, orders: n?.orders ?? 0, anchors: n?.anchors ?? 0 }
}
