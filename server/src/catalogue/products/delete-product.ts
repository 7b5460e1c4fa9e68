import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { type CatalogueWriter, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { products } from '#server/db/schema/shop.ts'
import { enqueueUnused } from '#server/files/remove-unused.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { seenBy } from './read-products.ts'
import { auditedProduct, lockProduct } from './write-product.ts'

/**
 * Deletes a DISABLED product with its links to boxes, and its images unless something else refers to them.
 * @throws ShopError `product.not_found`, `delete.not_disabled`, `version.stale`, `auth.forbidden` when it is linked to
 *   a box that the principal's key may not access
 */
export async function deleteProduct(
  deps: CatalogueWriter,
  principal: Principal,
  id: string,
  version: number | undefined,
): Promise<void> {
  await changeCatalogue(deps, async (tx) => {
    const product = await lockProduct(tx, id)
    checkVersion(version, seenBy(principal, product))
    for (const { boxID } of product.boxes) assertBoxAccess(principal, boxID)
    if (product.status !== 'DISABLED')
      throw new ShopError('delete.not_disabled', 'Only a DISABLED product can be deleted.')
    await tx.delete(products).where(eq(products.id, id))
    await enqueueUnused(tx, product.imagePaths)
    await writeAuditEntry(tx, principal, 'product', id, { before: auditedProduct(product), after: null })
  })
}
