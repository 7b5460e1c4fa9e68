import type { Digest } from '@befaqt/provenance'
import { nodeHash, proveInclusions, type ReadHash, TILE_WIDTH } from '@befaqt/provenance/log/tree'
import { sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'
import { logEntries } from '#server/db/schema/anchor-log.ts'
import { tileHashes } from './log-rows.ts'

/* What proofs of boxes say of the log: a checkpoint with its signatures, and that it holds the anchors that they use. */

/** A checkpoint of the log, with one signature of each witness that has signed it. */
export type CosignedCheckpoint = { size: number; note: string }

/** Cosignatures that are older than the newest by so much do not count when a checkpoint is chosen. */
const LATELY_S = 86_400

/**
 * The checkpoints that a proof may carry, the best first: most witnesses have signed it lately, then the larger one. The
 * newest is one of them though nobody else has signed it yet. None: nothing is signed.
 * @param most so many of them; by default all
 */
export async function checkpointsForProofs(
  tx: Tx,
  most: number | null = null,
): Promise<CosignedCheckpoint[]> {
  const found = await rows<{ size: number; note: string; lines: string[] | null }>(
    tx,
    sql`with signed as (
          select distinct on (size, split_part(key, '+', 1)) origin, size, line, time
          from log_cosignatures where origin in (select origin from anchor_logs)
          order by size, split_part(key, '+', 1), length(line), key),
        counted as (
          select origin, size, array_agg(line order by length(line), line) as lines,
            count(*) filter (where time >= (select max(time) from signed) - ${LATELY_S}) as lately
          from signed group by origin, size)
        select c.size, c.note, s.lines from anchor_logs l
        join log_checkpoints c on c.origin = l.origin
        left join counted s on s.origin = c.origin and s.size = c.size
        where s.size is not null or c.size = (select max(size) from log_checkpoints where origin = l.origin)
        order by coalesce(s.lately, 0) desc, c.size desc limit ${most}::int`,
  )
  return found.map(({ size, note, lines }) => ({ size, note: note + (lines ?? []).join('') }))
}

/** What the log says of an anchor. */
export type LoggedAnchor = { index: number; root: string; time: string; boxes: number; records: number }

/** These entries of the log, by their index. */
export async function loggedAnchors(tx: Tx, indexes: readonly number[]): Promise<Map<number, LoggedAnchor>> {
  const found = await tx
    .select()
    .from(logEntries)
    .where(sql`${logEntries.index} = any(string_to_array(${indexes.join()}, ',')::int[])`)
  return new Map(found.map(({ index, entry }) => [index, JSON.parse(entry) as LoggedAnchor]))
}

/** The way of each of these entries up to the root that the log had with so many, in base64. */
export async function inclusionOf(
  tx: Tx,
  size: number,
  indexes: readonly number[],
): Promise<Record<string, string[]>> {
  const paths = await proveInclusions(indexes, size, fromWholeTiles(tx))
  const texts = new Map<Digest, string>()
  for (const hash of new Set(paths.flat())) texts.set(hash, Buffer.from(hash).toString('base64'))
  const textOf = (hash: Digest): string => texts.get(hash) ?? ''
  return Object.fromEntries(indexes.map((index, i) => [index, (paths[i] ?? []).map(textOf)]))
}

/** Rows of hashes in a tile: its own, and those that the tiles of the next level do not have. */
const ROWS = Math.log2(TILE_WIDTH)

/** Reads the hash of any complete subtree: each tile is read once, and all that is above its hashes made at once. */
function fromWholeTiles(tx: Tx): ReadHash {
  const tiles = new Map<string, Promise<Digest[][]>>()
  return async (level, index) => {
    const row = level % ROWS
    const inRow = TILE_WIDTH / 2 ** row
    const [tileLevel, tile] = [(level - row) / ROWS, Math.floor(index / inRow)]
    const name = `${tileLevel} ${tile}`
    const rows = tiles.get(name) ?? tileHashes(tx, tileLevel, tile).then(rowsOver)
    tiles.set(name, rows)
    const hash = (await rows)[row]?.[index % inRow]
    if (hash === undefined) throw new RangeError(`the log's tiles lack subtree ${index} of level ${level}`)
    return hash
  }
}

/** Those hashes, the ones over two of them, over four …: one that stands alone yet has none above it. */
function rowsOver(hashes: Digest[]): Digest[][] {
  const rows = [hashes]
  for (let row = hashes; row.length > 1; rows.push(row)) row = pairs(row)
  return rows
}

const pairs = (row: readonly Digest[]): Digest[] =>
  row.flatMap((right, i) => {
    const left = row[i - 1]
    return i % 2 === 0 || left === undefined ? [] : nodeHash(left, right)
  })
