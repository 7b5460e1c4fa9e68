import { and, desc, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { logCheckpoints, logStamps } from '#server/db/schema/anchor-log.ts'
import { newestCheckpoint } from '../log/receipts.ts'

/* Which checkpoint is stamped on which day, and what was got for it. Rows that have something stay for ever. */

export type Stamp = typeof logStamps.$inferSelect

/** A day in UTC, as 2026-11-28. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/**
 * The checkpoint to stamp, and what there is for it: that of today, which is the newest at the first look of the day; where
 * the log did not grow since the last one, that one. Undefined: nothing is signed yet. All processes get the same.
 */
export async function stampOfToday(db: Db, now: Date): Promise<Stamp | undefined> {
  const day = dayOf(now)
  const [last] = await db.select().from(logStamps).orderBy(desc(logStamps.day)).limit(1)
  if (last !== undefined && last.day >= day) return last
  const newest = await newestCheckpoint(db)
  if (newest === undefined) return undefined
  const { origin, size } = newest
  if (last?.origin === origin && last.size === size) return last
  return db.transaction(async (tx) => {
    await tx
      .delete(logStamps)
      .where(and(lt(logStamps.day, day), isNull(logStamps.tsr), isNull(logStamps.ots)))
    await tx.insert(logStamps).values({ day, origin, size }).onConflictDoNothing()
    const [row] = await tx.select().from(logStamps).where(eq(logStamps.day, day))
    return row
  })
}

/** The signed note that is stamped: by the log alone, so it never changes. */
export async function noteOf(db: Db, { origin, size }: Pick<Stamp, 'origin' | 'size'>): Promise<string> {
  const [signed] = await db
    .select({ note: logCheckpoints.note })
    .from(logCheckpoints)
    .where(and(eq(logCheckpoints.origin, origin), eq(logCheckpoints.size, size)))
  if (signed === undefined) throw new Error(`the checkpoint of ${size} entries of ${origin} is missing`)
  return signed.note
}

/** Keeps a time stamp, unless another process got one meanwhile. Returns whether it did. */
export async function keepTsr(
  db: Db,
  day: string,
  got: Required<Pick<Stamp, 'tsr' | 'stampedBy' | 'stampedAt'>>,
): Promise<boolean> {
  const kept = await db
    .update(logStamps)
    .set(got)
    .where(and(eq(logStamps.day, day), isNull(logStamps.tsr)))
    .returning({ day: logStamps.day })
  return kept.length > 0
}

/** Keeps the promises of calendars, likewise. */
export async function keepOts(db: Db, day: string, ots: Uint8Array, askedAt: Date): Promise<boolean> {
  const kept = await db
    .update(logStamps)
    .set({ ots, otsAskedAt: askedAt })
    .where(and(eq(logStamps.day, day), isNull(logStamps.ots)))
    .returning({ day: logStamps.day })
  return kept.length > 0
}

/** Most proofs that calendars are asked about at a time. */
const MAX_PENDING = 10

/** Proofs that no block attests yet and that nobody was asked about since: those asked longest ago first. */
export const pendingStamps = (db: Db, since: Date): Promise<Stamp[]> =>
  db
    .select()
    .from(logStamps)
    .where(
      and(
        isNotNull(logStamps.ots),
        eq(logStamps.isComplete, false),
        or(isNull(logStamps.otsAskedAt), lt(logStamps.otsAskedAt, since)),
      ),
    )
    .orderBy(logStamps.otsAskedAt, logStamps.day)
    .limit(MAX_PENDING)

/** Notes that calendars were asked, and what a proof became by that. One that a block attests is not put back. */
export async function noteAsked(
  db: Db,
  day: string,
  { ots, isComplete, askedAt }: { ots: Uint8Array; isComplete: boolean; askedAt: Date },
): Promise<void> {
  await db
    .update(logStamps)
    .set({ ots, isComplete, otsAskedAt: askedAt })
    .where(and(eq(logStamps.day, day), eq(logStamps.isComplete, false)))
}

/** Notes what was not got. Returns whether that is news. */
export async function noteFault(db: Db, day: string, fault: string | null): Promise<boolean> {
  const changed = await db
    .update(logStamps)
    .set({ fault })
    .where(and(eq(logStamps.day, day), sql`fault is distinct from ${fault}`))
    .returning({ day: logStamps.day })
  return changed.length > 0
}

/** Why the newest checkpoint is not stamped as the settings ask for, in sentences; null: it is, or nobody tried. */
export async function stampFault(db: Db | Tx): Promise<string | null> {
  const [last] = await db
    .select({ fault: logStamps.fault })
    .from(logStamps)
    .orderBy(desc(logStamps.day))
    .limit(1)
  return last?.fault ?? null
}

/** What one kind of stamp covers. */
export type Stamped = {
  /** Of the last checkpoint that has one; null: none has. */
  day: string | null
  size: number | null
  /** How long the oldest checkpoint that none covers has waited, in seconds; 0: all are covered. */
  waitsS: number
}

export type StampState = {
  /** As `stampFault` says. */
  fault: string | null
  tsr: Stamped
  ots: Stamped
  /** Proofs of calendars that no block attests after so many days, and the day of the oldest. */
  pending: number
  pendingSince: string | null
}

/**
 * How far the log of anchors is stamped, for operators. Undefined: no checkpoint of it is signed.
 * @param pendingDays after which a proof of calendars should be in a block
 */
export async function stampState(db: Db | Tx, pendingDays: number): Promise<StampState | undefined> {
  if ((await newestCheckpoint(db)) === undefined) return undefined
  const [pending] = await rows<{ n: number; since: string | null }>(
    db,
    sql`select count(*)::int as n, min(day) as since from log_stamps where ots is not null and not is_complete
          and day < to_char((now() at time zone 'utc')::date - ${pendingDays}::int, 'YYYY-MM-DD')`,
  )
  return {
    fault: await stampFault(db),
    tsr: await stamped(db, isNotNull(logStamps.tsr)),
    ots: await stamped(db, isNotNull(logStamps.ots)),
    pending: pending?.n ?? 0,
    pendingSince: pending?.since ?? null,
  }
}

/** Of the log that is signed now: one that it was begun anew after is stamped no more. */
async function stamped(db: Db | Tx, is: SQL): Promise<Stamped> {
  const [found] = await rows<Stamped>(
    db,
    sql`select s.day, s.size, coalesce((select extract(epoch from now() - min(c.created_at))::float8
            from log_checkpoints c where c.origin = l.origin and c.size > coalesce(s.size, 0)), 0) as "waitsS"
        from anchor_logs l left join lateral (
          select day, size from log_stamps where log_stamps.origin = l.origin and ${is} order by size desc limit 1
        ) s on true limit 1`,
  )
  return found ?? { day: null, size: null, waitsS: 0 }
}
