import { eq, inArray, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import { orderLines } from '#server/db/schema/orders.ts'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { sharingBoxes } from './backings.ts'
import { MAX_CHANGED } from './catalogue.ts'
import { titleNames } from './search/trade-name-of.ts'

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
  await lookForWaiting(tx, ids)
  return { event: await appendEvent(tx, eventKinds.catalogueChanged, ids), ids }
}

/** The queue of looks at what somebody waits for, which may be there now (notices/). Payload: `ids`, as those of an event. */
export const LOOK_QUEUE = 'notice.look'

/**
 * Has it looked, once this is committed, who waits for what changed. Nothing where nobody does: unconfirmed wishes count,
 * since they may be confirmed at this moment.
 */
async function lookForWaiting(tx: Tx, ids: readonly string[] | null): Promise<void> {
  if (ids?.length === 0) return
  const among = ids === null ? sql`true` : sql`n.product_id = any(${sql.param([...ids])}::text[])`
  const waited = await rows<{ species: string | null }>(
    tx,
    sql`select distinct n.species from stock_notices n where n.species is not null or ${among}`,
  )
  const kinds = waited.flatMap(({ species }) => species ?? [])
  const isOne = ids === null ? waited.length > 0 : waited.length > kinds.length
  if (isOne || (ids !== null && (await areCalled(tx, ids, kinds)))) await enqueue(tx, LOOK_QUEUE, { ids })
}

/** Does a title of these products name one of these kinds? */
async function areCalled(tx: Tx, ids: readonly string[], kinds: readonly string[]): Promise<boolean> {
  if (kinds.length === 0) return false
  const found = await tx
    .select({ title: products.title })
    .from(products)
    .where(inArray(products.id, [...ids]))
  return found.some(({ title }) => kinds.some((kind) => titleNames(title, kind)))
}

/** With those of which there is another stock since they come from the same weighed boxes. */
async function productsTouched(tx: Tx, touched: Touched): Promise<readonly string[]> {
  const ids = await productsIn(tx, touched)
  return [...new Set([...ids, ...(await sharingBoxes(tx, ids))])]
}

async function productsIn(tx: Tx, touched: Touched): Promise<readonly string[]> {
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
