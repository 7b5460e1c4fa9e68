import { ShopError } from '@befaqt/domain/errors'
import { eq, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { rows } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { enqueueUnused } from '#server/files/remove-unused.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import { seenBy } from './read-products.ts'
import { auditedProduct, lockProduct } from './write-product.ts'

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
    await tx.delete(products).where(eq(products.id, id))
    await enqueueUnused(tx, product.imagePaths)
    await writeAuditEntry(tx, principal, 'product', id, { before: auditedProduct(product), after: null })
  }
  await changeCatalogue(deps, remove, undefined, { products: [id] })
}

/** Is it in an order, or was it lost from a box? The row is locked, so no order can name it meanwhile. */
async function isOrdered(tx: CatalogueTx, id: string): Promise<boolean> {
  const found = await rows(
    tx,
    sql`select 1 as one from order_lines where product_id = ${id}
        union all select 1 from box_losses where product_id = ${id} limit 1`,
  )
  return found.length > 0
}
