import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { eq } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/product-columns.ts'
import { storedColumns } from '#server/db/column-map.ts'
import { products } from '#server/db/schema/shop.ts'
import { enqueueUnused } from '#server/files/remove-unused.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { withImages } from '#server/files/with-images.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { NormalizedImage } from '#server/images/port.ts'
import { orderedImages } from './ordered-images.ts'
import type { ChangedProduct } from './product-form.ts'
import { managedProduct, seenBy } from './read-products.ts'
import { assertUnitsFree } from './unit-in-use.ts'
import { auditedProduct, lockProduct, lockProductCategory, writeImages } from './write-product.ts'

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
  deps: CatalogueWriter & StoringFiles & { now: () => Date },
  principal: Principal,
  id: string,
  { patch, pictures, version }: Change,
): Promise<ManagedProduct> {
  const { imagePaths: wanted, imageAlts: alts, ...fields } = patch
  return withImages(deps, pictures, (keep) =>
    changeCatalogue(
      deps,
      async (tx) => {
        const stored = await keep(tx)
        const before = await lockProduct(tx, id)
        checkVersion(version, seenBy(principal, before))
        const { unit = before.unit } = fields
        await assertUnitsFree(tx, [{ before: { ...before, id }, after: { unit } }])
        if (fields.category_id !== undefined) await lockProductCategory(tx, fields.category_id)
        if (stored.length > 0 || wanted !== undefined || alts !== undefined) {
          const uploads = stored.map(({ path }) => path)
          await changeImages(tx, before, uploads, { wanted, alts })
        }
        await tx
          .update(products)
          .set({
            ...storedColumns(productColumns, fields),
            version: before.version + 1,
            updatedAt: deps.now(),
          })
          .where(eq(products.id, id))
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
