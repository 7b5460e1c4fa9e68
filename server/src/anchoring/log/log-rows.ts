import type { Digest } from '@befaqt/provenance'
import { anchorEntry } from '@befaqt/provenance/leaf'
import {
  hashesIn,
  hashOfRow,
  leafHash,
  type ReadHashes,
  readFromTiles,
  rootOf,
  TILE_WIDTH,
} from '@befaqt/provenance/log/tree'
import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { type Db, ONE_MOMENT, rows, type Tx } from '#server/db/client.ts'
import {
  logEntries,
  logTiles,
  otherLogEntries,
  otherLogs,
  otherLogTiles,
} from '#server/db/schema/anchor-log.ts'
import { anchors } from '#server/db/schema/ledger.ts'

/*
 * Logs in rows: their entries, and the hashes of their trees, which follow from them. That of anchors has tables of its
 * own; any other is named by its origin, `of`. Source: RFC 9162 §2.1, C2SP tlog-tiles.
 */

const entryRows = (of: string | undefined): SQL =>
  of === undefined ? sql`log_entries where true` : sql`other_log_entries where origin = ${of}`
const tileRows = (of: string | undefined): SQL =>
  of === undefined ? sql`log_tiles where true` : sql`other_log_tiles where origin = ${of}`

/** How many entries the log has. */
export async function entryCount(db: Db | Tx, of?: string): Promise<number> {
  const [newest] = await rows<{ index: number | null }>(
    db,
    sql`select max(index) as index from ${entryRows(of)}`,
  )
  return newest?.index == null ? 0 : newest.index + 1
}

/** Entries from an index up to, not with, another. */
export async function entriesOf(db: Db | Tx, first: number, end: number, of?: string): Promise<string[]> {
  const found = await rows<{ entry: string }>(
    db,
    sql`select entry from ${entryRows(of)} and index >= ${first} and index < ${end} order by index`,
  )
  return found.map(({ entry }) => entry)
}

/** The hashes of a tile, as many as it has by now. */
export async function tileHashes(db: Db | Tx, level: number, index: number, of?: string): Promise<Digest[]> {
  const [tile] = await rows<{ hashes: Uint8Array }>(
    db,
    sql`select hashes from ${tileRows(of)} and level = ${level} and index = ${index}`,
  )
  return tile === undefined ? [] : hashesIn(new Uint8Array(tile.hashes), tile.hashes.length / 32)
}

/** Reads hashes for proofs and roots. Those that are asked for at once are in one tile. */
export const readTiles =
  (db: Db | Tx, of?: string): ReadHashes =>
  async (level, first, count) => {
    const tile = await tileHashes(db, level, Math.floor(first / TILE_WIDTH), of)
    const start = first % TILE_WIDTH
    return tile.slice(start, start + count)
  }

/** The root of the log when it had so many entries. @throws RangeError when its tiles have a gap */
export const rootAt = (db: Db | Tx, size: number, of?: string): Promise<Digest> =>
  rootOf(size, readFromTiles(readTiles(db, of)))

/** Appends entries, of which the first has the index `size`, and what they add to the tree. */
export async function appendEntries(
  tx: Tx,
  size: number,
  entries: readonly string[],
  of?: string,
): Promise<void> {
  if (entries.length === 0) return
  const added = entries.map((entry, i) => ({ index: size + i, entry }))
  if (of === undefined) await tx.insert(logEntries).values(added)
  else await tx.insert(otherLogEntries).values(added.map((entry) => ({ ...entry, origin: of })))
  let first = size
  let hashes = entries.map((entry) => leafHash(Buffer.from(entry)))
  for (let level = 0; hashes.length > 0; level++) {
    const full: Digest[] = []
    for (let at = 0; at < hashes.length; ) {
      const index = Math.floor((first + at) / TILE_WIDTH)
      const before = (first + at) % TILE_WIDTH
      const known = before === 0 ? [] : (await tileHashes(tx, level, index, of)).slice(0, before)
      if (known.length < before)
        throw new RangeError(`tile ${index} of level ${level} of the log lacks hashes`)
      const tile = [...known, ...hashes.slice(at, at + TILE_WIDTH - before)]
      await saveTile(tx, { level, index, tile }, of)
      if (tile.length === TILE_WIDTH) full.push(hashOfRow(tile))
      at += TILE_WIDTH - before
    }
    first = Math.floor(first / TILE_WIDTH)
    hashes = full
  }
}

type Tile = { level: number; index: number; tile: readonly Digest[] }

const bytesOf = (tile: readonly Digest[]): Uint8Array => new Uint8Array(Buffer.concat(tile))

async function saveTile(tx: Tx, { level, index, tile }: Tile, of?: string): Promise<void> {
  const hashes = bytesOf(tile)
  if (of === undefined)
    await tx
      .insert(logTiles)
      .values({ level, index, hashes })
      .onConflictDoUpdate({ target: [logTiles.level, logTiles.index], set: { hashes } })
  else
    await tx
      .insert(otherLogTiles)
      .values({ origin: of, level, index, hashes })
      .onConflictDoUpdate({
        target: [otherLogTiles.origin, otherLogTiles.level, otherLogTiles.index],
        set: { hashes },
      })
}

/** Every tile, as the entries give it; of all levels, each when it is full, and at the end what is partial. */
async function* tilesOfEntries(tx: Tx, of?: string): AsyncGenerator<Tile> {
  const levels: { index: number; tile: Digest[] }[] = []
  for (let first = 0; ; first += TILE_WIDTH) {
    const entries = await entriesOf(tx, first, first + TILE_WIDTH, of)
    for (const entry of entries) {
      let hash: Digest | undefined = leafHash(Buffer.from(entry))
      for (let level = 0; hash !== undefined; level++) {
        const open = levels[level] ?? { index: 0, tile: [] }
        levels[level] = open
        open.tile.push(hash)
        hash = open.tile.length === TILE_WIDTH ? hashOfRow(open.tile) : undefined
        if (hash === undefined) continue
        yield { level, ...open }
        levels[level] = { index: open.index + 1, tile: [] }
      }
    }
    if (entries.length < TILE_WIDTH) break
  }
  for (const [level, open] of levels.entries()) if (open.tile.length > 0) yield { level, ...open }
}

/** Makes the tree of a log anew from its entries. */
export async function rebuildTiles(db: Db, of?: string): Promise<void> {
  await db.transaction(async (tx) => {
    if (of === undefined) await tx.delete(logTiles)
    else await tx.delete(otherLogTiles).where(eq(otherLogTiles.origin, of))
    for await (const tile of tilesOfEntries(tx, of)) await saveTile(tx, tile, of)
  })
}

/**
 * Where the tree of a log is not that of its entries, and where an entry is not the anchor that it is made of, in sentences;
 * none: all agree. Anchors of a gap are in no row here; the ledger has them.
 */
export const logDifferences = (db: Db): Promise<string[]> =>
  db.transaction(async (tx) => {
    const differences = await treeDifferences(tx)
    const others = await tx
      .select({ origin: otherLogs.origin })
      .from(otherLogs)
      .orderBy(asc(otherLogs.origin))
    for (const { origin } of others)
      for (const words of await treeDifferences(tx, origin)) differences.push(`${origin}: ${words}`)
    const size = await entryCount(tx)
    for (let first = 0; first < size; first += PAGE)
      differences.push(...(await otherAnchors(tx, first, first + PAGE)))
    return differences
  }, ONE_MOMENT)

async function treeDifferences(tx: Tx, of?: string): Promise<string[]> {
  const differences: string[] = []
  let tiles = 0
  for await (const { level, index, tile } of tilesOfEntries(tx, of)) {
    tiles += 1
    const stored = await tileHashes(tx, level, index, of)
    if (Buffer.compare(bytesOf(stored), bytesOf(tile)) !== 0)
      differences.push(`tile ${index} of level ${level} is not what the entries give`)
  }
  const [{ kept } = { kept: 0 }] = await rows<{ kept: number }>(
    tx,
    sql`select count(*)::int as kept from ${tileRows(of)}`,
  )
  if (kept > tiles) differences.push(`there are ${kept} tiles, and the entries give ${tiles}`)
  return differences
}

const PAGE = 1_000

/** Entries from an index up to another that are not what their confirmed anchors say. */
export async function otherAnchors(db: Db | Tx, first: number, end: number): Promise<string[]> {
  const found = await db
    .select({ entry: logEntries.entry, anchor: anchors })
    .from(logEntries)
    .innerJoin(anchors, eq(anchors.index, logEntries.index))
    .where(and(gte(logEntries.index, first), lt(logEntries.index, end), eq(anchors.state, 'confirmed')))
    .orderBy(asc(logEntries.index))
  return found
    .filter(({ entry, anchor }) => entry !== entryOf({ ...anchor, time: anchor.blockTime ?? 0 }))
    .map(({ anchor }) => `entry ${anchor.index} is not what anchor ${anchor.index} says`)
}

/** The entry of an anchor. */
export const entryOf = (anchor: Parameters<typeof anchorEntry>[0]): string =>
  Buffer.from(anchorEntry(anchor)).toString()
