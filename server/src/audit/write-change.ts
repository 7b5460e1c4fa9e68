import { sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'
import type { changes } from '#server/db/schema/shop.ts'
import { type Asker, whoOf } from '#server/identity/principal.ts'

type Row = Record<string, unknown>
export type ChangedEntity = (typeof changes.$inferInsert)['entity']

/** One change: `before` null: created; `after` null: deleted. Give views, never rows with secrets. */
export type Noted = { entity: ChangedEntity; entityId: string; before: Row | null; after: Row | null }

/** Notes who changed what, in the transaction of the change. Of an update only the fields that differ are kept. */
export async function writeChange(
  tx: Tx,
  asker: Asker,
  entity: ChangedEntity,
  entityId: string,
  states: Pick<Noted, 'before' | 'after'>,
): Promise<void> {
  await writeChanges(tx, whoOf(asker), [{ entity, entityId, ...states }])
}

/**
 * Notes many changes of one person, at most some thousands at a time, and answers their ids by what was changed.
 * `who`: as `whoOf` answers it.
 */
export async function writeChanges(
  tx: Tx,
  who: string,
  noted: readonly Noted[],
): Promise<Map<string, number>> {
  if (noted.length === 0) return new Map()
  const values = JSON.stringify(noted.map(rowOf))
  const written = await rows<{ id: number; entityId: string }>(
    tx,
    sql`insert into changes (who, entity, entity_id, action, before, after)
        select ${who}, c.entity, c."entityId", c.action, c.before, c.after
        from jsonb_to_recordset(${values}::jsonb)
          as c(entity text, "entityId" text, action text, before jsonb, after jsonb)
        returning id, entity_id as "entityId"`,
  )
  return new Map(written.map(({ id, entityId }) => [entityId, id]))
}

function rowOf({ entity, entityId, before, after }: Noted) {
  const action: 'create' | 'update' | 'delete' =
    before === null ? 'create' : after === null ? 'delete' : 'update'
  const [was, is] = before && after ? differing(before, after) : [before, after]
  return { entity, entityId, action, before: was, after: is }
}

/** Fields that every change touches and nobody asks for. */
const NOT_NEWS = new Set(['version', 'updatedAt'])

function differing(before: Row, after: Row): [Row, Row] {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => !NOT_NEWS.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (row: Row): Row => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  return [pick(before), pick(after)]
}
