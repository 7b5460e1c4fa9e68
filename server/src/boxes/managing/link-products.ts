import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { boxNotFound } from '#server/boxes/lock-box.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { MAX_LINKS, once, quantity, replaceProductsOfBox } from '#server/catalogue/products/link-boxes.ts'
import { lock } from '#server/db/lock.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Principal } from '#server/identity/principal.ts'

/** The products that come from a box; each once. */
export const ProductLinks = z
  .array(z.strictObject({ product_id: z.string().min(1).max(64), quantity }))
  .max(MAX_LINKS, `at most ${MAX_LINKS} products`)
  .refine((links) => once(links, ({ product_id }) => product_id), 'a product is listed twice')

/**
 * Says which products come from a box, in place of those said before.
 * @throws ShopError `box.not_found`, `input.invalid` for a product that is not there (any more)
 */
export async function linkProducts(
  deps: CatalogueWriter,
  principal: Principal,
  boxID: string,
  links: z.infer<typeof ProductLinks>,
): Promise<void> {
  const shown: string[] = []
  const link = async (tx: CatalogueTx) => {
    const ids = links.map(({ product_id }) => product_id).sort()
    const [found, left] = await lock(tx).products(ids, 'key share')
    const missing = links.findIndex(({ product_id }) => !found.has(product_id))
    if (missing >= 0) throw fieldError(`[${missing}].product_id`, 'There is no such product.')
    const [held] = await left.boxes([boxID])
    if (!held.has(boxID)) throw boxNotFound()
    const before = await replaceProductsOfBox(tx, boxID, links)
    shown.splice(0, shown.length, ...before.map(({ product_id }) => product_id), ...ids) // of no try before this one
    await writeAuditEntry(tx, principal, 'box', boxID, {
      before: { products: before },
      after: { products: links },
    })
  }
  await changeCatalogue(deps, link, undefined, { products: shown })
}
