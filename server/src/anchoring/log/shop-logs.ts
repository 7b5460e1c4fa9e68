import { asc } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { anchorLogs, otherLogs } from '#server/db/schema/anchor-log.ts'

/** A log of the shop, which it signs or has signed. */
export type ShopLog = {
  origin: string
  key: string
  /** The name by which its rows are found; absent: those of the log of anchors. */
  of?: string
}

/** The logs that are signed now: of anchors, and of builds. */
export async function signedLogs(db: Db | Tx): Promise<ShopLog[]> {
  const { origin, key } = anchorLogs
  const ofAnchors = await db.select({ origin, key }).from(anchorLogs).limit(1)
  return [...ofAnchors, ...(await others(db)).filter(({ kind }) => kind === 'builds')]
}

/** The log of builds; undefined: it has not begun. */
export const buildsLog = async (db: Db | Tx): Promise<ShopLog | undefined> =>
  (await others(db)).find(({ kind }) => kind === 'builds')

/**
 * The log that is served at a path, which is the end of its name whatever the shop's address is by now; also one that is not
 * signed any more.
 */
export async function logAt(db: Db | Tx, path: string): Promise<ShopLog | undefined> {
  const known = [...(await signedLogs(db)), ...(await others(db))]
  return known.find(({ origin }) => origin.slice(origin.indexOf('/')) === path)
}

async function others(db: Db | Tx): Promise<(ShopLog & { kind: string })[]> {
  const found = await db.select().from(otherLogs).orderBy(asc(otherLogs.origin))
  return found.map(({ origin, key, kind }) => ({ origin, key, kind, of: origin }))
}

/** Name of the first of the logs that followed one another: without its number. */
export const baseOf = (origin: string): string => origin.replace(/\/\d{1,9}$/, '')

/** The name of the log that is signed in place of this one; undefined: this one is. */
export async function successorOf(db: Db | Tx, { origin }: ShopLog): Promise<string | undefined> {
  const signed = (await signedLogs(db)).find((log) => baseOf(log.origin) === baseOf(origin))
  return signed?.origin === origin ? undefined : signed?.origin
}
