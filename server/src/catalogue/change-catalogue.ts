import { eq, inArray } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import { orderLines } from '#server/db/schema/orders.ts'
import { productBoxes } from '#server/db/schema/shop.ts'
import { MAX_CHANGED } from './catalogue.ts'

declare const mayWrite: unique symbol
/** A transaction that may change the public catalogue. Only `changeCatalogue` opens one. */
export type CatalogueTx = Tx & { readonly [mayWrite]: true }

export type CatalogueWriter = {
  db: Db
  /** Called after the commit, with the id of its event. */
  catalogue: { changed(event: number, ids: readonly string[] | null): void }
}

/** All that a change shows on: these products, those that come from these boxes, or those of an order's lines. */
export type Touched = { products: readonly string[] } | { boxes: readonly string[] } | { order: string }

/**
 * The only way to change the public catalogue: categories, products, their images and boxes, and what cards show of a
 * box. `work` locks, writes and audits in one transaction, which appends an event for all processes; this process
 * invalidates its cache when the commit returns.
 * @param touched where no other product, and no category, changed: then only those are read again
 * @param isChange false when `work` changed nothing public: then nobody hears of it
 */
export async function changeCatalogue<Made>(
  { db, catalogue }: CatalogueWriter,
  work: (tx: CatalogueTx) => Promise<Made>,
  isChange: (made: Made) => boolean = () => true,
  touched?: Touched | ((made: Made) => Touched),
): Promise<Made> {
  const { made, announced } = await db.transaction(async (tx) => {
    const made = await work(tx as CatalogueTx)
    if (!isChange(made)) return { made, announced: undefined }
    return { made, announced: await announce(tx, typeof touched === 'function' ? touched(made) : touched) }
  })
  if (announced !== undefined) catalogue.changed(announced.event, announced.ids)
  return made
}

async function announce(
  tx: Tx,
  touched: Touched | undefined,
): Promise<{ event: number; ids: readonly string[] | null }> {
  const found = touched && (await productsTouched(tx, touched))
  const ids = found !== undefined && found.length <= MAX_CHANGED ? found : null
  return { event: await appendEvent(tx, eventKinds.catalogueChanged, ids), ids }
}

async function productsTouched(tx: Tx, touched: Touched): Promise<readonly string[]> {
  if ('products' in touched) return [...new Set(touched.products)]
  const found =
    'order' in touched
      ? await tx
          .selectDistinct({ id: orderLines.productId })
          .from(orderLines)
          .where(eq(orderLines.orderId, touched.order))
      : await tx
          .selectDistinct({ id: productBoxes.productId })
          .from(productBoxes)
          .where(inArray(productBoxes.boxId, [...touched.boxes]))
  return found.map(({ id }) => id)
}
