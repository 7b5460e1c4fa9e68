import { eq, inArray, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { orderLines } from '#server/db/schema/orders.ts'
import { productBoxes } from '#server/db/schema/shop.ts'
import { aroundVersion, CATALOGUE_CHANNEL } from './catalogue.ts'

declare const mayWrite: unique symbol
/** A transaction that may change the public catalogue. Only `changeCatalogue` opens one. */
export type CatalogueTx = Tx & { readonly [mayWrite]: true }

export type CatalogueWriter = {
  db: Db
  /** Called with the new version after the commit. */
  catalogue: { changed(version: number, ids?: readonly string[]): void }
}

/** All that a change shows on: these products, those that come from these boxes, or those of an order's lines. */
export type Touched = { products: readonly string[] } | { boxes: readonly string[] } | { order: string }

/**
 * The only way to change the public catalogue: categories, products, their images and boxes, and what cards show of a
 * box. `work` locks, writes and audits in one transaction. The commit notifies every process of the new version; this
 * process invalidates its cache when the commit returns.
 * @param touched where no other product, and no category, changed: then only those are read again
 * @param isChange false when `work` changed nothing public: then nobody is notified
 */
export async function changeCatalogue<Made>(
  { db, catalogue }: CatalogueWriter,
  work: (tx: CatalogueTx) => Promise<Made>,
  isChange: (made: Made) => boolean = () => true,
  touched?: Touched,
): Promise<Made> {
  const { made, announced } = await db.transaction(async (tx) => {
    const made = await work(tx as CatalogueTx)
    return { made, announced: isChange(made) ? await announce(tx, touched) : undefined }
  })
  if (announced !== undefined) catalogue.changed(announced.version, announced.ids)
  return made
}

/**
 * Increments the version and notifies, in one statement. It comes last, so that the row is locked only during the
 * commit, while PostgreSQL blocks other commits with a NOTIFY anyway; so versions commit in order.
 */
async function announce(
  tx: Tx,
  touched: Touched | undefined,
): Promise<{ version: number; ids: readonly string[] | undefined }> {
  const ids = touched && (await productsTouched(tx, touched))
  const [before, after] = aroundVersion(ids)
  const [announced] = await rows<{ version: string | number }>(
    tx,
    sql`with next as (
          insert into catalogue_version (version) values (1)
          on conflict (only_row) do update set version = catalogue_version.version + 1
          returning version)
        select version, pg_notify(${CATALOGUE_CHANNEL}, ${before}::text || version::text || ${after}::text) from next`,
  )
  if (announced === undefined) throw new Error('the catalogue has no version')
  return { version: Number(announced.version), ids }
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
