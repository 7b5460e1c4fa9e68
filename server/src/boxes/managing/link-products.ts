import { BoxID } from '@befaqt/domain/box-values'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { writeChange } from '#server/audit/write-change.ts'
import { holdBox } from '#server/boxes/hold-box.ts'
import { announceCatalogueChange } from '#server/catalogue/catalogue.ts'
import { lockProduct } from '#server/catalogue/products/write-product.ts'
import type { Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import type { Deps } from '#server/deps.ts'
import { refuseField } from '#server/http/refuse-field.ts'
import { type Asker, boxesOf, touches } from '#server/identity/principal.ts'

const MOST_LINKS = 200
/** How much of the product a box holds, in the product's unit. */
const quantity = z
  .number('quantity must be a number')
  .min(0, 'quantity must not be negative')
  .max(1_000_000, 'quantity must be at most 1000000')
  .default(0)

const once = <Link>(links: readonly Link[], idOf: (link: Link) => string): boolean =>
  new Set(links.map(idOf)).size === links.length

/** The products that come from a box; each once. */
export const ProductLinks = z
  .array(z.strictObject({ product_id: z.string().min(1).max(64), quantity }))
  .max(MOST_LINKS, `at most ${MOST_LINKS} products`)
  .refine((links) => once(links, ({ product_id }) => product_id), 'a product stands twice')

/** The boxes that a product comes from; each once. */
export const BoxLinks = z
  .array(z.strictObject({ boxID: BoxID, quantity }))
  .max(MOST_LINKS, `at most ${MOST_LINKS} boxes`)
  .refine((links) => once(links, ({ boxID }) => boxID), 'a box stands twice')

/**
 * Says which products come from a box, in place of those said before.
 * @throws ShopError `box.not_found`, `input.invalid` for a product that is not there (any more)
 */
export async function linkProducts(
  deps: Deps,
  asker: Asker,
  boxID: string,
  links: z.infer<typeof ProductLinks>,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const ids = links.map(({ product_id }) => product_id).sort()
    const found = ids.length === 0 ? [] : await holdProducts(tx, ids)
    const missing = links.findIndex(({ product_id }) => !found.includes(product_id))
    if (missing >= 0) throw refuseField(`[${missing}].product_id`, 'There is no such product.')
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
    await writeChange(tx, asker, 'box', boxID, { before: { products: before }, after: { products: links } })
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

/**
 * Says which boxes a product comes from, in place of those said before. Whoever is limited to some boxes changes the
 * links of those only: the others stay. The caller has checked that `links` hold no others.
 * @throws ShopError `product.not_found`, `input.invalid` for a box that is not there, or for too many together
 */
export async function linkBoxes(
  deps: Deps,
  asker: Asker,
  productId: string,
  links: z.infer<typeof BoxLinks>,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const { boxes: before } = await lockProduct(tx, productId)
    const ids = links.map(({ boxID }) => boxID)
    const found =
      ids.length === 0 ? [] : await tx.select({ id: boxes.id }).from(boxes).where(inArray(boxes.id, ids))
    const missing = links.findIndex(({ boxID }) => !found.some(({ id }) => id === boxID))
    if (missing >= 0) throw refuseField(`[${missing}].boxID`, 'There is no such box.')
    const others = before.filter(({ boxID }) => !touches(asker, boxID))
    if (others.length + links.length > MOST_LINKS) throw refuseField('', `at most ${MOST_LINKS} boxes`)
    const only = boxesOf(asker)
    const mine = only === null ? undefined : inArray(productBoxes.boxId, [...only])
    await tx.delete(productBoxes).where(and(eq(productBoxes.productId, productId), mine))
    const written = links.map(({ boxID, quantity }) => ({ productId, boxId: boxID, quantity }))
    if (written.length > 0) await tx.insert(productBoxes).values(written)
    const after = { boxes: [...others, ...links] }
    await writeChange(tx, asker, 'product', productId, { before: { boxes: before }, after })
    await announceCatalogueChange(tx)
  })
  deps.catalogue.changed()
}
