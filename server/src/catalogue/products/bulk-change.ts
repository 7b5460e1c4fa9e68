import { isDeepStrictEqual } from 'node:util'
import type { BulkChanged, Undone } from '@befaqt/domain/api/manage-api'
import { Price, ProductPatch } from '@befaqt/domain/catalogue'
import { type FieldError, ShopError } from '@befaqt/domain/errors'
import { MAX_DOLLARS } from '@befaqt/domain/limits'
import { cents, decimalFromCents } from '@befaqt/domain/money'
import { changedPrice } from '@befaqt/domain/product-fields'
import { plus } from '@befaqt/domain/quantity'
import { followed, nextMoment, Schedule, ScheduleChange } from '@befaqt/domain/schedule'
import { and, eq, max, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type AuditEntry, writeAuditEntries } from '#server/audit/audit-log.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { managedColumns, productColumns } from '#server/catalogue/columns.ts'
import { rows } from '#server/db/client.ts'
import { recordOf, setFrom, shownFields, storedColumns } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { changes } from '#server/db/schema/shop.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { enqueueDue, type Planning, withPlan } from './plan.ts'
import { batched, type ProductRow, productNotFound } from './read-products.ts'

/** Products per call. */
const MAX_PRODUCTS = 10_000
const factor = z.number('priceFactor must be a number').min(0, 'priceFactor must be 0 to 10').max(10)
/** A difference in dollars, whole cents. */
const delta = z
  .number('priceDelta must be a number')
  .refine(
    (value) => Price.safeParse(Math.abs(value)).success,
    `priceDelta must be whole cents, at most ${MAX_DOLLARS}`,
  )

/** One change of many products. Prices: a new one, a difference, or a factor. */
export const BulkChange = z.strictObject({
  ids: z.array(z.string().max(64)).min(1, 'no product was chosen').max(MAX_PRODUCTS),
  set: z
    .strictObject({
      status: ProductPatch.shape.status,
      stock: ProductPatch.shape.stock,
      discount: ProductPatch.shape.discount,
      priceValue: Price.optional(),
      priceDelta: delta.optional(),
      priceFactor: factor.optional(),
      schedule: ScheduleChange.optional(),
    })
    .refine((set) => Object.values(set).some((value) => value !== undefined), 'nothing to change was given')
    .refine(
      ({ priceValue, priceDelta, priceFactor }) =>
        [priceValue, priceDelta, priceFactor].filter((value) => value !== undefined).length <= 1,
      'the price can be changed in one way at a time',
    ),
})
export type BulkChange = z.infer<typeof BulkChange>

/**
 * Changes status, stock, discount or price of many products: all of them or none. Returns those that changed.
 * @throws ShopError `product.not_found`, `input.invalid` when a price would be out of range
 */
export const bulkChange = (
  deps: CatalogueWriter & Planning,
  principal: Principal,
  change: BulkChange,
): Promise<BulkChanged[]> =>
  changeCatalogue(
    deps,
    (tx) => bulkChangeIn(tx, deps, principal, change),
    (changed) => changed.length > 0,
  )

/** The same within a transaction that changes more. */
async function bulkChangeIn(
  tx: CatalogueTx,
  deps: Planning,
  principal: Principal,
  { ids, set }: BulkChange,
): Promise<BulkChanged[]> {
  const [found] = await lock(tx).products(ids)
  if (found.size < new Set(ids).size) throw productNotFound()
  const all = [...found.values()].map((before): RowChange => ({ before, after: applied(before, set, deps) }))
  refuseOddPrices(all)
  const different = all.filter(
    ({ before, after }) =>
      before.status !== after.status ||
      before.stock !== after.stock ||
      before.discount !== after.discount ||
      before.priceCents !== after.priceCents ||
      !isDeepStrictEqual(before.schedule, after.schedule),
  )
  const entryIds = await writeMany(tx, actorId(principal), different, deps.now())
  return different.map(({ before, after }) => bulkChanged(before.version + 1, after, entryIds))
}

function applied(row: ProductRow, set: BulkChange['set'], deps: Planning): ProductRow {
  const { status = row.status, stock = row.stock, discount = row.discount, schedule, ...price } = set
  const changed = { ...row, status, stock, discount, priceCents: changedPrice(row.priceCents, price) }
  return withPlan(changed, schedule, deps, set.discount !== undefined)
}

/** A product changed by a bulk change or its undo. `entryIds`: of audit entries by product. */
const bulkChanged = (
  version: number,
  { id, status, stock, discount, priceCents, schedule }: ProductRow,
  entryIds: ReadonlyMap<string, number>,
): BulkChanged => ({
  _id: id,
  version,
  status,
  stock,
  price: decimalFromCents(cents(priceCents)),
  discount,
  schedule,
  change: entryIds.get(id) ?? 0,
})

function refuseOddPrices(all: readonly RowChange[]): void {
  const odd = all.filter(({ after }) => after.priceCents < 0 || after.priceCents > MAX_DOLLARS * 100)
  if (odd.length === 0) return
  const fields = odd.slice(0, 20).map(
    ({ after }): FieldError => ({
      path: 'set',
      message: `${after.title} would cost ${decimalFromCents(cents(after.priceCents)).toFixed(2)}`,
    }),
  )
  const message = `Nothing was changed: ${fields.map((field) => field.message).join('; ')}.`
  throw new ShopError('input.invalid', message.slice(0, 1_000), { fields })
}

const change = z.int('a change is a whole number').positive().max(2_147_483_647)

/** Ids of the changes to undo, as bulk changes return them. */
export const UndoChanges = z.strictObject({
  changes: z.array(change).min(1, 'no change was named').max(MAX_PRODUCTS),
})
export type UndoChanges = z.infer<typeof UndoChanges>

/** The fields that bulk changes can change. */
const Undoable = ProductPatch.pick({ status: true, stock: true, discount: true, price: true })
  .extend({ schedule: Schedule.optional() })
  .strict()

/**
 * Undoes changes of products, in one transaction: only the fields that a change touched, and only if it is the last
 * change of its product. A product that was changed since is left unchanged, also one whose stock orders have changed.
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
      const all = [...undone].flatMap(([id, { change, before, after }]): RowChange[] => {
        const row = found.get(id)
        return row && last.get(id) === change && isAsWritten(row, after)
          ? [{ before: row, after: followed(restored(row, before), deps.now().getTime()) }]
          : []
      })
      const written = await writeMany(tx, actorId(principal), all, deps.now())
      const rows = all.map(({ before, after }) => bulkChanged(before.version + 1, after, written))
      return { rows, left: [...undone.keys()].filter((id) => !written.has(id)) }
    },
    ({ rows }) => rows.length > 0,
  )
}

type AuditedChange = { change: number; before: unknown; after: unknown }

/** The changes by product; the newest if there are several. */
async function changesOf(tx: CatalogueTx, ids: readonly number[]): Promise<Map<string, AuditedChange>> {
  const wanted = [...new Set(ids)]
  const found = await tx
    .select({ change: changes.id, id: changes.entityId, before: changes.before, after: changes.after })
    .from(changes)
    .where(
      and(
        sql`${changes.id} = any(${sql.param(wanted)}::int[])`,
        eq(changes.entity, 'product'),
        eq(changes.action, 'update'),
      ),
    )
    .orderBy(changes.id)
  if (found.length < wanted.length) throw new ShopError('not_found', 'There is no such change of a product.')
  return new Map(found.map(({ id, change, before, after }) => [id, { change, before, after }]))
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
  const { status, stock, discount, price, schedule } = shownFields(managedColumns, row)
  const now = { status, stock, discount, price, schedule }
  return isDeepStrictEqual({ ...now, ...fields.data }, now)
}

/** A product as it was before a change that touched these fields. */
function restored(row: ProductRow, before: unknown): ProductRow {
  const fields = Undoable.safeParse(before)
  if (!fields.success) throw new ShopError('input.invalid', 'This change can’t be undone.')
  return { ...row, ...storedColumns(managedColumns, fields.data) }
}

/** One product before and after. */
export type RowChange = { before: ProductRow; after: ProductRow }

/** A product of a file as JSON. */
export const productRecord = sql`id text, ${recordOf(productColumns)}`

/**
 * Writes changed products with their audit entries, and has their next moments kept. Returns the ids of the entries by
 * product. The rows must be locked. @param who the actor id
 */
export async function writeMany(
  tx: CatalogueTx,
  who: string,
  changed: readonly RowChange[],
  now: Date,
): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  for await (const part of batched(changed)) {
    const dueAt = part.map(({ after }) => nextMoment(after.schedule))
    const values = JSON.stringify(part.map(({ after }, i) => ({ ...after, dueAt: dueAt[i] ?? null })))
    await rows(
      tx,
      sql`update products p set ${setFrom(managedColumns, 'c')}, due_at = c."dueAt", version = p.version + 1, updated_at = ${now.toISOString()}::timestamptz
          from jsonb_to_recordset(${values}::jsonb)
            as c(id text, ${recordOf(managedColumns)}, "dueAt" timestamptz)
          where p.id = c.id`,
    )
    await enqueueDue(tx, dueAt, now)
    for (const [id, change] of await writeAuditEntries(tx, who, part.map(auditEntryOf))) all.set(id, change)
  }
  return all
}

const auditEntryOf = ({ before, after }: RowChange): AuditEntry => ({
  entity: 'product',
  entityId: before.id,
  before: shownFields(managedColumns, before),
  after: shownFields(managedColumns, after),
})

/**
 * Adds to the stock of products, or takes from it, all that is said of one together. The rows must be locked (`lock`). It counts as a change for
 * a manager's form that was opened before, so that the form can't restore the old stock. The audit log has the orders,
 * not these. Whether the public catalogue shows something else then is for the caller to find out (`sellable.ts`).
 */
export async function changeStock(
  tx: CatalogueTx,
  added: readonly (readonly [id: string, units: number])[],
): Promise<void> {
  const sums = [...Map.groupBy(added, ([id]) => id)].map(([id, of]) => ({
    id,
    quantity: of.reduce((sum, [, units]) => plus(sum, units), 0),
  }))
  const values = JSON.stringify(sums.filter(({ quantity }) => quantity !== 0))
  await rows(
    tx,
    sql`update products p set stock = p.stock + c.quantity, version = p.version + 1, updated_at = clock_timestamp()
        from jsonb_to_recordset(${values}::jsonb) as c(id text, quantity numeric)
        where p.id = c.id`,
  )
}
