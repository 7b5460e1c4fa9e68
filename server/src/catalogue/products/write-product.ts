import { randomUUID } from 'node:crypto'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { preparationsError } from '@befaqt/domain/preparation'
import { noSchedule } from '@befaqt/domain/schedule'
import { eq, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { managedColumns, productColumns } from '#server/catalogue/columns.ts'
import { rows } from '#server/db/client.ts'
import { pickFields, storedColumns } from '#server/db/column-map.ts'
import { categories, productImages, products } from '#server/db/schema/shop.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { enqueueUnused } from '#server/files/store-file.ts'
import { withImages } from '#server/files/store-image.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { NormalizedImage } from '#server/images/image-processor.ts'
import { enqueueDue, type Planning, withPlan } from './plan.ts'
import { type ChangedProduct, type NewProduct, type OrderedImage, orderedImages } from './product-form.ts'
import { lockProduct, managedProduct, seenBy } from './read-products.ts'
import { assertUnitsFree } from './unit-in-use.ts'

/**
 * Creates a product with its images; one that has this id already is answered as it is now.
 * @throws ShopError `input.invalid`, also when its category was removed meanwhile
 */
export async function createProduct(
  deps: CatalogueWriter & StoringFiles & Planning,
  principal: Principal,
  { input, pictures }: { input: NewProduct; pictures: readonly NormalizedImage[] },
): Promise<ManagedProduct> {
  const { imagePaths: wanted, imageAlts: alts, _id: id = randomUUID(), schedule, ...fields } = input
  assertPreparations(fields)
  const create = async (tx: CatalogueTx, stored: readonly { path: string }[]) => {
    await lockProductCategory(tx, fields.category_id)
    const uploads = stored.map(({ path }) => path)
    const images = orderedImages([], uploads, { wanted, alts })
    const moment = { createdAt: deps.now(), updatedAt: deps.now() }
    const typed = { ...storedColumns(productColumns, fields), schedule: noSchedule }
    const row = withPlan(typed, schedule, deps)
    const added = await tx
      .insert(products)
      .values({ ...row, id, ...moment })
      .onConflictDoNothing({ target: products.id })
      .returning({ id: products.id })
    if (added.length === 0) {
      await enqueueUnused(tx, uploads)
      return { product: await managedProduct(tx, id), isNew: false }
    }
    await writeImages(tx, id, images)
    await enqueueDue(tx, [row.dueAt], deps.now())
    const product = await managedProduct(tx, id)
    await writeAuditEntry(tx, principal, 'product', id, { before: null, after: auditedProduct(product) })
    return { product, isNew: true }
  }
  const { product } = await withImages(deps, pictures, (keep) =>
    changeCatalogue(
      deps,
      async (tx) => create(tx, await keep(tx)),
      ({ isNew }) => isNew,
    ),
  )
  return product
}

type Change = {
  patch: Omit<ChangedProduct, 'version'>
  pictures: readonly NormalizedImage[]
  version: number | undefined
}

/**
 * Changes a product and its images; a job removes those that nothing refers to any more.
 * @throws ShopError `product.not_found`, `version.stale`, `input.invalid` (also for a category removed meanwhile),
 *   `product.unit_in_use`
 */
export async function updateProduct(
  deps: CatalogueWriter & StoringFiles & Planning,
  principal: Principal,
  id: string,
  { patch, pictures, version }: Change,
): Promise<ManagedProduct> {
  const { imagePaths: wanted, imageAlts: alts, schedule, ...fields } = patch
  return withImages(deps, pictures, (keep) =>
    changeCatalogue(
      deps,
      async (tx) => {
        const stored = await keep(tx)
        const before = await lockProduct(tx, id)
        checkVersion(version, seenBy(principal, before))
        const { unit = before.unit, preparations = before.preparations } = fields
        assertPreparations({ unit, preparations })
        await assertUnitsFree(tx, [{ before: { ...before, id }, after: { unit } }])
        if (fields.category_id !== undefined) await lockProductCategory(tx, fields.category_id)
        if (stored.length > 0 || wanted !== undefined || alts !== undefined) {
          const uploads = stored.map(({ path }) => path)
          await changeImages(tx, before, uploads, { wanted, alts })
        }
        const typed = { ...storedColumns(managedColumns, before), ...storedColumns(productColumns, fields) }
        const row = withPlan(typed, schedule, deps, fields.discount !== undefined)
        await tx
          .update(products)
          .set({ ...row, version: before.version + 1, updatedAt: deps.now() })
          .where(eq(products.id, id))
        await enqueueDue(tx, [row.dueAt], deps.now())
        const after = await managedProduct(tx, id)
        await writeAuditEntry(tx, principal, 'product', id, {
          before: auditedProduct(before),
          after: auditedProduct(after),
        })
        return after
      },
      undefined,
      { products: [id] },
    ),
  )
}

/** @throws ShopError `input.invalid` for what is not sold as whole fish */
function assertPreparations(product: Pick<NewProduct, 'unit' | 'preparations'>): void {
  const error = preparationsError(product)
  if (error !== null) throw fieldError('preparations', error)
}

async function changeImages(
  tx: CatalogueTx,
  { _id, images }: ManagedProduct,
  uploads: readonly string[],
  order: { wanted: string[] | undefined; alts: string[] | undefined },
): Promise<void> {
  const placed = orderedImages(images, uploads, order)
  await writeImages(tx, _id, placed)
  const kept = new Set(placed.map(({ path }) => path))
  await enqueueUnused(
    tx,
    images.map(({ path }) => path).filter((path) => !kept.has(path)),
  )
}

/**
 * Deletes a DISABLED product with its links to boxes, and its images unless something else refers to them.
 * @throws ShopError `product.not_found`, `delete.not_disabled`, `product.in_orders`, `version.stale`
 */
export async function deleteProduct(
  deps: CatalogueWriter,
  principal: Principal,
  id: string,
  version: number | undefined,
): Promise<void> {
  const remove = async (tx: CatalogueTx) => {
    const product = await lockProduct(tx, id)
    checkVersion(version, seenBy(principal, product))
    if (product.status !== 'DISABLED')
      throw new ShopError('delete.not_disabled', 'Only a DISABLED product can be deleted.')
    if (await isOrdered(tx, id))
      throw new ShopError(
        'product.in_orders',
        'It is in orders, so it can’t be deleted. It can stay DISABLED.',
      )
    await deleteLocked(tx, principal, product)
  }
  await changeCatalogue(deps, remove, undefined, { products: [id] })
}

/** Deletes a product with its links and its images. Its row must be locked. */
export async function deleteLocked(
  tx: CatalogueTx,
  principal: Principal,
  product: ManagedProduct,
): Promise<void> {
  await tx.delete(products).where(eq(products.id, product._id))
  await enqueueUnused(tx, product.imagePaths)
  await writeAuditEntry(tx, principal, 'product', product._id, {
    before: auditedProduct(product),
    after: null,
  })
}

/** Is it in an order, or was it lost from a box? The row is locked, so no order can name it meanwhile. */
export async function isOrdered(tx: CatalogueTx, id: string): Promise<boolean> {
  const found = await rows(
    tx,
    sql`select 1 as one from order_lines where product_id = ${id}
        union all select 1 from box_losses where product_id = ${id} limit 1`,
  )
  return found.length > 0
}

/** Locks the category against deletion until the transaction ends. @throws ShopError `input.invalid` if it doesn't exist */
export async function lockProductCategory(tx: CatalogueTx, id: string, path = 'category_id'): Promise<void> {
  const [found] = await tx
    .select({ id: categories.id })
    .from(categories)
    .where(eq(categories.id, id))
    .for('key share')
  if (found === undefined) throw fieldError(path, 'There is no such category (any more).')
}

/** Replaces the product's images. */
export async function writeImages(
  tx: CatalogueTx,
  productId: string,
  images: readonly OrderedImage[],
): Promise<void> {
  await tx.delete(productImages).where(eq(productImages.productId, productId))
  if (images.length === 0) return
  await tx
    .insert(productImages)
    .values(images.map(({ path, alt }, position) => ({ productId, position, path, alt })))
}

/** The audited fields of a product: those that managers edit. Bulk changes leave out images and boxes, which don't change. */
const auditedProduct = (product: ManagedProduct): Record<string, unknown> => ({
  ...pickFields(managedColumns, product),
  imagePaths: product.imagePaths,
  imageAlts: product.images.map(({ alt }) => alt),
  boxes: product.boxes,
})
