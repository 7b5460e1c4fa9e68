import { BoxID } from '@befaqt/domain/box-values'
import { MAX_QUANTITY } from '@befaqt/domain/limits'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { productBoxes } from '#server/db/schema/shop.ts'
import { fieldError } from '#server/http/field-error.ts'
import { allowedBoxes, canAccessBox, type Principal } from '#server/identity/principal.ts'
import { lockProduct } from './read-products.ts'

/** Links of one product, or of one box. */
export const MAX_LINKS = 200
/** The product's quantity in a box, in the product's unit. */
export const quantity = z
  .number('quantity must be a number')
  .min(0, 'quantity must not be negative')
  .max(MAX_QUANTITY, `quantity must be at most ${MAX_QUANTITY}`)
  .default(0)

/** A product that comes from a box, and its quantity in the box. */
type ProductLink = { product_id: string; quantity: number }

/** Are there no duplicates? */
export const once = <Link>(links: readonly Link[], idOf: (link: Link) => string): boolean =>
  new Set(links.map(idOf)).size === links.length

/** The boxes that a product comes from; each once. */
export const BoxLinks = z
  .array(z.strictObject({ boxID: BoxID, quantity }))
  .max(MAX_LINKS, `at most ${MAX_LINKS} boxes`)
  .refine((links) => once(links, ({ boxID }) => boxID), 'a box is listed twice')

/**
 * Replaces the boxes that a product comes from. A principal that is limited to some boxes changes only their links. The
 * caller has checked that `links` contains no others.
 * @throws ShopError `product.not_found`, `input.invalid` for an unknown box, or for too many in total
 */
export async function linkBoxes(
  deps: CatalogueWriter,
  principal: Principal,
  productId: string,
  links: z.infer<typeof BoxLinks>,
): Promise<void> {
  const link = async (tx: CatalogueTx) => {
    const { boxes: before } = await lockProduct(tx, productId)
    const ids = links.map(({ boxID }) => boxID)
    const found =
      ids.length === 0 ? [] : await tx.select({ id: boxes.id }).from(boxes).where(inArray(boxes.id, ids))
    const missing = links.findIndex(({ boxID }) => !found.some(({ id }) => id === boxID))
    if (missing >= 0) throw fieldError(`[${missing}].boxID`, 'There is no such box.')
    const others = before.filter(({ boxID }) => !canAccessBox(principal, boxID))
    if (others.length + links.length > MAX_LINKS) throw fieldError('', `at most ${MAX_LINKS} boxes`)
    const only = allowedBoxes(principal)
    const mine = only === null ? undefined : inArray(productBoxes.boxId, [...only])
    await tx.delete(productBoxes).where(and(eq(productBoxes.productId, productId), mine))
    const written = links.map(({ boxID, quantity }) => ({
      productId,
      boxId: boxID,
      quantity,
      unit: unitOf(productId),
    }))
    if (written.length > 0) await tx.insert(productBoxes).values(written)
    const after = { boxes: [...others, ...links] }
    await writeAuditEntry(tx, principal, 'product', productId, { before: { boxes: before }, after })
  }
  await changeCatalogue(deps, link, undefined, { products: [productId] })
}

/** SQL: the unit in which a quantity of this product counts from now on. */
const unitOf = (productId: string) => sql<string>`(select unit from products where id = ${productId})`

/** Replaces the products that come from a box, and returns the previous ones. The box must be locked. */
export async function replaceProductsOfBox(
  tx: CatalogueTx,
  boxId: string,
  links: readonly ProductLink[],
): Promise<ProductLink[]> {
  const before = await tx
    .select({ product_id: productBoxes.productId, quantity: productBoxes.quantity })
    .from(productBoxes)
    .where(eq(productBoxes.boxId, boxId))
    .orderBy(asc(productBoxes.productId))
  await tx.delete(productBoxes).where(eq(productBoxes.boxId, boxId))
  const written = links.map(({ product_id: productId, quantity }) => ({
    productId,
    boxId,
    quantity,
    unit: unitOf(productId),
  }))
  if (written.length > 0) await tx.insert(productBoxes).values(written)
  return before
}
