import { toBase64 } from '@befaqt/provenance/log/note'
import { proveInclusion, type ReadHash, readFromTiles, TILE_WIDTH } from '@befaqt/provenance/log/tree'
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
  const read = eachOnce(tx)
  const found: Record<string, string[]> = {}
  for (const index of indexes) found[index] = (await proveInclusion(index, size, read)).map(toBase64)
  return found
}

/** Reads every tile once, and computes every hash once: the ways of neighbours are mostly the same. */
function eachOnce(tx: Tx): ReadHash {
  const tiles = new Map<string, ReturnType<typeof tileHashes>>()
  const hashes = new Map<string, ReturnType<ReadHash>>()
  const read = readFromTiles(async (level, first, count) => {
    const index = Math.floor(first / TILE_WIDTH)
    const tile = known(tiles, `${level} ${index}`, () => tileHashes(tx, level, index))
    const start = first % TILE_WIDTH
    return (await tile).slice(start, start + count)
  })
  return (level, index) => known(hashes, `${level} ${index}`, () => read(level, index))
}

function known<T>(all: Map<string, T>, key: string, make: () => T): T {
  const made = all.get(key) ?? make()
  all.set(key, made)
  return made
}
