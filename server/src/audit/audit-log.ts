import { sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'
import type { changes } from '#server/db/schema/shop.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { noteSecurity, type SecurityEvent } from './security-log.ts'

type Row = Record<string, unknown>
export type ChangedEntity = (typeof changes.$inferInsert)['entity']

/** One change: `before` null: created; `after` null: deleted. Pass views, never rows with secrets. */
export type AuditEntry = { entity: ChangedEntity; entityId: string; before: Row | null; after: Row | null }

/** Writes an audit entry in the transaction of the change. An update stores only the fields that differ. */
export async function writeAuditEntry(
  tx: Tx,
  principal: Principal,
  entity: ChangedEntity,
  entityId: string,
  states: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> {
  await writeAuditEntries(tx, actorId(principal), [{ entity, entityId, ...states }])
}

/**
 * Writes audit entries of one actor, at most a few thousand per call. Returns their ids by entity id.
 * @param who the actor id
 */
export async function writeAuditEntries(
  tx: Tx,
  who: string,
  entries: readonly AuditEntry[],
): Promise<Map<string, number>> {
  if (entries.length === 0) return new Map()
  const stored = entries.map(rowOf)
  for (const entry of stored) noteChange(who, entry)
  const values = JSON.stringify(stored)
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

/** Changes that the security log has too. */
const ofSecurity: Partial<Record<ChangedEntity, SecurityEvent>> = {
  staff: 'rights',
  user: 'account',
  key: 'key',
  webhook: 'webhook',
  site: 'settings',
}

/** Which fields changed, never what they say. */
function noteChange(who: string, { entity, entityId, action, after }: ReturnType<typeof rowOf>): void {
  const what = ofSecurity[entity]
  if (what === undefined) return
  const fields = action === 'update' ? `: ${Object.keys(after ?? {}).join(', ')}` : ''
  noteSecurity({ what, outcome: 'done', who, object: `${entity}:${entityId}`, detail: action + fields })
}

function rowOf({ entity, entityId, before, after }: AuditEntry) {
  const action: 'create' | 'update' | 'delete' =
    before === null ? 'create' : after === null ? 'delete' : 'update'
  const [was, is] = before && after ? changedFields(before, after) : [before, after]
  return { entity, entityId, action, before: was, after: is }
}

/** Fields that change with every write. */
const NOT_AUDITED = new Set(['version', 'updatedAt'])

function changedFields(before: Row, after: Row): [Row, Row] {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => !NOT_AUDITED.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const pick = (row: Row): Row => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  return [pick(before), pick(after)]
}
