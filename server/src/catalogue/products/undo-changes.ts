import { isDeepStrictEqual } from 'node:util'
import type { Undone } from '@befaqt/domain/api/manage-api'
import { ProductPatch } from '@befaqt/domain/catalogue'
import { ShopError } from '@befaqt/domain/errors'
import { followed, Schedule } from '@befaqt/domain/schedule'
import { and, eq, inArray, max, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { managedColumns } from '#server/catalogue/columns.ts'
import { shownFields, storedColumns } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { categories, changes } from '#server/db/schema/shop.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { bulkChanged, MAX_PRODUCTS } from './bulk-change.ts'
import { managedProduct, type ProductRow } from './read-products.ts'
import { type RowChange, writeMany } from './write-many.ts'
import { deleteLocked, isOrdered } from './write-product.ts'

const change = z.int('a change is a whole number').positive().max(2_147_483_647)

/** Ids of the changes to undo, as bulk changes return them. */
export const UndoChanges = z.strictObject({
  changes: z.array(change).min(1, 'no change was named').max(MAX_PRODUCTS),
})
export type UndoChanges = z.infer<typeof UndoChanges>

/** The fields that bulk changes can change. */
const Undoable = ProductPatch.pick({
  category_id: true,
  status: true,
  stock: true,
  discount: true,
  price: true,
})
  .extend({ schedule: Schedule.optional() })
  .strict()

/**
 * Undoes changes of products, in one transaction: only the fields that a change touched, and only if it is the last
 * change of its product. A product that was changed since is left unchanged, also one whose stock orders have changed or
 * whose former category is gone. A copy that is still the draft it was made as is removed.
 * @throws ShopError `not_found` for a change that is not of a product, `input.invalid` for one of other fields
 */
export async function undoChanges(
  deps: CatalogueWriter & { now: () => Date },
  principal: Principal,
  wanted: UndoChanges,
): Promise<Undone> {
  return changeCatalogue(
    deps,
    async (tx) => {
      const undone = await changesOf(tx, wanted.changes)
      const [found] = await lock(tx).products(undone.keys())
      const last = await lastChanges(tx, [...undone.keys()])
      const mine = [...undone].flatMap(([id, change]) => {
        const row = found.get(id)
        return row && last.get(id) === change.change ? [{ row, ...change }] : []
      })
      const all = mine.flatMap(({ row, isNew, before, after }): RowChange[] =>
        !isNew && isAsWritten(row, after)
          ? [{ before: row, after: followed(restored(row, before), deps.now().getTime()) }]
          : [],
      )
      const kept = await withCategories(tx, all)
      const written = await writeMany(tx, actorId(principal), kept, deps.now())
      const rows = kept.map(({ before, after }) => bulkChanged(before.version + 1, after, written))
      const drafts = mine.filter(({ isNew, row }) => isNew && row.status === 'INACTIVE' && !row.everActive)
      const removed = await removeDrafts(
        tx,
        principal,
        drafts.map(({ row }) => row),
      )
      return {
        rows,
        removed,
        left: [...undone.keys()].filter((id) => !written.has(id) && !removed.includes(id)),
      }
    },
    ({ rows, removed }) => rows.length + removed.length > 0,
  )
}

/** Those of the changes whose product comes back to a category that there still is. */
async function withCategories(tx: CatalogueTx, all: readonly RowChange[]): Promise<RowChange[]> {
  const moved = all.filter(({ before, after }) => before.categoryId !== after.categoryId)
  if (moved.length === 0) return [...all]
  const found = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(inArray(categories.id, [...new Set(moved.map(({ after }) => after.categoryId))]))
    .orderBy(inByteOrder(categories.id))
    .for('key share')
  const there = new Set(found.map(({ id }) => id))
  return all.filter((one) => !moved.includes(one) || there.has(one.after.categoryId))
}

/** Removes drafts that nothing refers to. Returns their ids. The rows must be locked. */
async function removeDrafts(
  tx: CatalogueTx,
  principal: Principal,
  drafts: readonly ProductRow[],
): Promise<string[]> {
  const removed: string[] = []
  for (const row of drafts) {
    if (await isOrdered(tx, row.id)) continue
    await deleteLocked(tx, principal, await managedProduct(tx, row.id))
    removed.push(row.id)
  }
  return removed
}

type AuditedChange = { change: number; isNew: boolean; before: unknown; after: unknown }

/** The changes by product; the newest if there are several. */
async function changesOf(tx: CatalogueTx, ids: readonly number[]): Promise<Map<string, AuditedChange>> {
  const wanted = [...new Set(ids)]
  const found = await tx
    .select({
      change: changes.id,
      id: changes.entityId,
      action: changes.action,
      before: changes.before,
      after: changes.after,
    })
    .from(changes)
    .where(
      and(
        sql`${changes.id} = any(${sql.param(wanted)}::int[])`,
        eq(changes.entity, 'product'),
        inArray(changes.action, ['create', 'update']),
      ),
    )
    .orderBy(changes.id)
  if (found.length < wanted.length) throw new ShopError('not_found', 'There is no such change of a product.')
  return new Map(found.map(({ id, action, ...change }) => [id, { ...change, isNew: action === 'create' }]))
}

/** The last change of each product. */
async function lastChanges(tx: CatalogueTx, ids: readonly string[]): Promise<Map<string, number>> {
  const found = await tx
    .select({ id: changes.entityId, change: max(changes.id) })
    .from(changes)
    .where(and(eq(changes.entity, 'product'), sql`${changes.entityId} = any(${sql.param(ids)}::text[])`))
    .groupBy(changes.entityId)
  return new Map(found.map(({ id, change }) => [id, change ?? 0]))
}

/** Has a product still the values that a change gave it? Orders take from its stock without a change of their own. */
function isAsWritten(row: ProductRow, after: unknown): boolean {
  const fields = Undoable.safeParse(after)
  if (!fields.success) return true // what can't be undone is refused by `restored`
  const { category_id, status, stock, discount, price, schedule } = shownFields(managedColumns, row)
  const now = { category_id, status, stock, discount, price, schedule }
  return isDeepStrictEqual({ ...now, ...fields.data }, now)
}

/** A product as it was before a change that touched these fields. */
function restored(row: ProductRow, before: unknown): ProductRow {
  const fields = Undoable.safeParse(before)
  if (!fields.success) throw new ShopError('input.invalid', 'This change can’t be undone.')
  return { ...row, ...storedColumns(managedColumns, fields.data) }
}
