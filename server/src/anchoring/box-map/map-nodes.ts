import type { MapNode } from '@befaqt/provenance/box-map'
import type { ReadNodes } from '@befaqt/provenance/load-paths'
import { gte, type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { mapNodes, removedMapNodes } from '#server/db/schema/ledger.ts'

/** Nodes go to and fro as one text, about 1 MB at a time: many times as fast as rows of parameters or columns. */
const ROWS_PER_STATEMENT = 5_000

/** The parts of such a text, in order. */
const list = (hex: readonly string[]): SQL => sql`string_to_array(${hex.join()}, ',')`

/** Values for `any`: an array is looked up in the index, where a subquery may be joined with the whole table. */
const valuesIn = (values: readonly string[]): SQL =>
  sql`array(select decode(v, 'hex') from unnest(${list(values)}) v)`

/** Reads nodes of the box map by their values. */
export const nodesIn =
  (db: Db | Tx): ReadNodes =>
  async (values) => {
    const [found] = await rows<{ nodes: string | null }>(
      db,
      sql`select string_agg(encode(value || bytes, 'hex'), ',') as nodes from map_nodes
          where value = any(${valuesIn(values)})`,
    )
    const nodes = found?.nodes?.split(',') ?? []
    return nodes.map((node) => ({ value: node.slice(0, 64), bytes: node.slice(64) }))
  }

/** Stores what the map of this anchor has and the one before has not, and notes what is only in the one before. */
export async function saveNodes(
  tx: Tx,
  anchorIndex: number,
  { added, removed }: { added: readonly MapNode[]; removed: readonly string[] },
): Promise<void> {
  for (let from = 0; from < added.length; from += ROWS_PER_STATEMENT) {
    const part = added.slice(from, from + ROWS_PER_STATEMENT)
    const [values, bytes] = [part.map((node) => node.value), part.map((node) => node.bytes)]
    const [inserted] = await rows<{ n: number }>(
      tx,
      sql`with inserted as (
            insert into map_nodes (value, bytes, added_at)
            select decode(value, 'hex'), decode(bytes, 'hex'), ${anchorIndex}
            from unnest(${list(values)}, ${list(bytes)}) as n(value, bytes) order by 1
            on conflict do nothing returning 1)
          select count(*)::int as n from inserted`,
    )
    if (inserted?.n !== part.length) await keepNodes(tx, values)
  }
  for (let from = 0; from < removed.length; from += ROWS_PER_STATEMENT)
    await rows(
      tx,
      sql`insert into removed_map_nodes (value, removed_at)
          select decode(value, 'hex'), ${anchorIndex}
          from unnest(${list(removed.slice(from, from + ROWS_PER_STATEMENT))}) as n(value)`,
    )
}

/** Nodes that an older map had, and a newer one has again before they are pruned, stay. */
const keepNodes = (tx: Tx, values: readonly string[]): Promise<unknown> =>
  rows(tx, sql`delete from removed_map_nodes where value = any(${valuesIn(values)})`)

/** Deletes the nodes that neither the map of this anchor nor a newer one has. */
export async function pruneNodes(tx: Tx, anchorIndex: number): Promise<void> {
  await rows(
    tx,
    sql`with gone as (delete from removed_map_nodes where removed_at <= ${anchorIndex} returning value)
        delete from map_nodes where value = any(array(select value from gone))`,
  )
}

/** Takes the map back to the anchor before this one. Its nodes must not be pruned yet. */
export async function takeBackNodes(tx: Tx, anchorIndex: number): Promise<void> {
  await tx.delete(mapNodes).where(gte(mapNodes.addedAt, anchorIndex))
  await tx.delete(removedMapNodes).where(gte(removedMapNodes.removedAt, anchorIndex))
}
