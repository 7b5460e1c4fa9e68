import { asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { holdBox } from '#server/boxes/hold-box.ts'
import { announceCatalogueChange } from '#server/catalogue/catalogue.ts'
import { MOST_LINKS, once, quantity } from '#server/catalogue/products/link-boxes.ts'
import type { Tx } from '#server/db/client.ts'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import type { Deps } from '#server/deps.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Principal } from '#server/identity/principal.ts'

/** The products that come from a box; each once. */
export const ProductLinks = z
  .array(z.strictObject({ product_id: z.string().min(1).max(64), quantity }))
  .max(MOST_LINKS, `at most ${MOST_LINKS} products`)
  .refine((links) => once(links, ({ product_id }) => product_id), 'a product stands twice')

/**
 * Says which products come from a box, in place of those said before.
 * @throws ShopError `box.not_found`, `input.invalid` for a product that is not there (any more)
 */
export async function linkProducts(
  deps: Deps,
  principal: Principal,
  boxID: string,
  links: z.infer<typeof ProductLinks>,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const ids = links.map(({ product_id }) => product_id).sort()
    const found = ids.length === 0 ? [] : await holdProducts(tx, ids)
    const missing = links.findIndex(({ product_id }) => !found.includes(product_id))
    if (missing >= 0) throw fieldError(`[${missing}].product_id`, 'There is no such product.')
    await holdBox(tx, boxID)
    const before = await tx
      .select({ product_id: productBoxes.productId, quantity: productBoxes.quantity })
      .from(productBoxes)
      .where(eq(productBoxes.boxId, boxID))
      .orderBy(asc(productBoxes.productId))
    await tx.delete(productBoxes).where(eq(productBoxes.boxId, boxID))
    const written = links.map(({ product_id, quantity }) => ({
      productId: product_id,
      boxId: boxID,
      quantity,
    }))
    if (written.length > 0) await tx.insert(productBoxes).values(written)
    await writeAuditEntry(tx, principal, 'box', boxID, {
      before: { products: before },
      after: { products: links },
    })
    await announceCatalogueChange(tx)
  })
  deps.catalogue.changed()
}

async function holdProducts(tx: Tx, ids: string[]): Promise<string[]> {
  const found = await tx
    .select({ id: products.id })
    .from(products)
    .where(inArray(products.id, ids))
    .orderBy(asc(products.id))
    .for('key share')
  return found.map(({ id }) => id)
}
