import { FormatError } from '@befaqt/provenance'
import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { parseNote, verifierKeyText } from '@befaqt/provenance/log/note'
import { eq, sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'
import { anchorLogs, logEntries, logTiles, otherLogs } from '#server/db/schema/anchor-log.ts'
import { entryCount } from './log-rows.ts'
import { baseOf } from './shop-logs.ts'
import type { LogSettings } from './sign-log.ts'
import { type Log, LogFault, requireKey, type SignDeps, signedBefore, signerOf } from './signing.ts'

/*
 * A log whose last signed state can't be reached any more is begun anew under another name: what it signed stays served, and
 * it is never signed again. Source: witness.md, Never sign twice.
 */

/** Why a log can't be signed again, in a sentence; undefined: it can be, or something else hinders it that is to be mended. */
export async function whyLost(deps: SignDeps, log: Log): Promise<string | undefined> {
  try {
    requireKey(log)
    await signedBefore(deps, log, await entryCount(deps.db, log.of))
    return undefined
  } catch (error) {
    if (error instanceof LogFault && error.isLasting) return error.message
    throw error
  }
}

/** Numbers that are tried before one gives up: far more than a shop begins anew. */
const MAX_NUMBER = 1_000

/**
 * The name of the log that follows this one: its number is above each that is known here, and not one under which somebody
 * has seen a state that this database forgot.
 * @param isSeen whether a witness knows a log of this name
 */
export async function nextOrigin(
  { db }: SignDeps,
  log: Log,
  isSeen: (origin: string) => Promise<boolean>,
): Promise<string> {
  const base = baseOf(log.origin)
  const known = await rows<{ origin: string }>(
    db,
    sql`select origin from anchor_logs union select origin from other_logs union select origin from log_checkpoints`,
  )
  const notes = [await log.file?.read(), ...((await log.file?.formers()) ?? [])]
  const written = notes.flatMap((note) => originIn(note) ?? [])
  const numbers = [...known.map(({ origin }) => origin), log.origin, ...written]
    .filter((origin) => baseOf(origin) === base)
    .map((origin) => Number(/\/(\d+)$/.exec(origin)?.[1] ?? 1))
  for (let number = Math.max(...numbers) + 1; number < MAX_NUMBER; number++) {
    const origin = `${base}/${number}`
    if (!(await isSeen(origin))) return origin
  }
  throw new Error(`${base} was begun anew too often.`)
}

function originIn(note: string | undefined): string | undefined {
  try {
    return note === undefined ? undefined : parseCheckpoint(parseNote(note).text).origin
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

/**
 * Begins a log anew: the former keeps its entries, tiles and checkpoints under its name, and the next has none until the
 * leader appends them. What its file holds is set aside, since it may know more than the database.
 */
export async function renewLog(
  { db, checkLead }: SignDeps,
  log: Log,
  origin: string,
  secrets: LogSettings['secrets'],
): Promise<string> {
  const key = verifierKeyText(signerOf(origin, secrets).key)
  await log.file?.setAside()
  await db.transaction(async (tx) => {
    await checkLead(tx)
    if (log.of === undefined) await setAnchorsAside(tx, log)
    const next = { origin, key, fault: null, seen: null }
    if (log.of === undefined) await tx.update(anchorLogs).set(next).where(eq(anchorLogs.origin, log.origin))
    else {
      const ended = { kind: 'former' as const, fault: null, seen: null }
      await tx.update(otherLogs).set(ended).where(eq(otherLogs.origin, log.origin))
      await tx.insert(otherLogs).values({ ...next, kind: 'builds' })
    }
  })
  return key
}

/** Moves the log of anchors from its own tables to those of others. */
async function setAnchorsAside(tx: Tx, { origin, key }: Log): Promise<void> {
  await tx.insert(otherLogs).values({ origin, key, kind: 'former' })
  await rows(
    tx,
    sql`insert into other_log_entries (origin, index, entry) select ${origin}, index, entry from log_entries`,
  )
  await rows(
    tx,
    sql`insert into other_log_tiles (origin, level, index, hashes)
        select ${origin}, level, index, hashes from log_tiles`,
  )
  await tx.delete(logEntries)
  await tx.delete(logTiles)
}
