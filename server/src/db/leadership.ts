import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from './client.ts'

/** This process is no longer the leader: its transaction must roll back. */
export class LeadershipLost extends Error {
  constructor() {
    super('Leadership lost: another process may be the leader now.')
    this.name = 'LeadershipLost'
  }
}

/** Sessions of this database that hold the advisory lock `key`. Source: PostgreSQL, pg_locks of 64-bit keys. */
const holders = (key: number) => sql`pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and l.locktype = 'advisory' and l.granted
    and l.classid = 0 and l.objid = ${key} and l.objsubid = 1`

/** Rejects unless session `pid` holds the lock `key` now. @throws LeadershipLost */
export async function checkLock(tx: Db | Tx, key: number, pid: number, lost: AbortSignal): Promise<void> {
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
