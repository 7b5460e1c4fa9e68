import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Paged } from '@befaqt/domain/api/box-api'
import type { FoundProduct } from '@befaqt/domain/api/desk-api'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/columns.ts'
import { backingOf, sellableUnits } from '#server/catalogue/sellable.ts'
import { type ImageRow, imagesOf, storedProduct, storedView } from '#server/catalogue/views.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { sortKeys } from '#server/db/column-map.ts'
import { countListed, keysetPage, type Part, sortedBy } from '#server/db/keyset.ts'
import { lock } from '#server/db/lock.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { matchesAllWords, matchesAllWordsIndexed, someFound } from '#server/db/search-and-order.ts'
import { finite, timeText } from '#server/db/stored-values.ts'
import type { ListQuery } from '#server/http/list-query.ts'
import { canAccessBox, type Principal } from '#server/identity/principal.ts'

const sortable = sortKeys(productColumns, { updated: products.updatedAt })

/** Products, sorted by title by default. `q` searches title and shelf position. */
export async function listProducts(
  db: Db,
  query: ListQuery,
  principal: Principal,
): Promise<Paged<ManagedProduct>> {
  const where = matching(query)
  const column = sortable.get(query.sort ?? 'title') ?? products.search
  const keys = sortedBy(column, products.id, query.dir)
  // Ids first: sorting whole rows with their descriptions takes three times as long.
  const read = ({ where: beyond, order, limit, offset, at }: Part) =>
    db
      .select({ id: products.id, at })
      .from(products)
      .where(and(where, beyond))
      .orderBy(...order)
      .limit(limit)
      .offset(offset)
  const { rows: found, ...page } = await keysetPage(
    query,
    { keys, of: ['products', query] },
    read,
    (beyond) => countListed(db, products, where, beyond),
  )
  const shown = await managedProducts(db, isOneOf(found.map(({ id }) => id)))
  const byId = new Map(shown.map((product) => [product._id, seenBy(principal, product)]))
  return { ...page, rows: found.flatMap(({ id }) => byId.get(id) ?? []) }
}

/** A product that nobody could buy yet. */
const isDraft = sql<boolean>`(${products.status} = 'INACTIVE' and not ${products.everActive})`

/** What the list of products is narrowed to; undefined: all of them. */
export const matching = ({
  q,
  status,
  category,
  draft,
}: Pick<ListQuery, 'q' | 'status' | 'category' | 'draft'>): SQL | undefined =>
  and(
    status && eq(products.status, status),
    draft && isDraft,
    category ? eq(products.categoryId, category) : undefined,
    matchesAllWords(products.search, q),
  )

/** A few products by their title or shelf position, by title; those that begin with what is asked for first. */
export async function productsFound(db: Db, q: string, most: number): Promise<FoundProduct[]> {
  const words = matchesAllWordsIndexed(products.search, q)
  if (words === undefined) return []
  return rows<FoundProduct>(
    db,
    sql`select products.id as "_id", products.title, products.status, products.shelf_pos as "shelfPos"
        from ${someFound(sql`select ${products.id} from ${products} where ${words}`, products)}
        order by starts_with(lower(products.title), ${q.trim().toLowerCase().replaceAll('\0', '')}) desc,
          products.search, products.id
        limit ${most}`,
  )
}

/** Every product, as `GET /api/product` has it without a query. Source: spec §7. */
export async function allProducts(db: Db, principal: Principal): Promise<ManagedProduct[]> {
  const all: ManagedProduct[] = []
  for await (const part of everyProduct(db, (some) => managedProducts(db, some))) all.push(...part)
  return all.map((product) => seenBy(principal, product))
}

export type ProductRow = typeof products.$inferSelect

/** By title, the default order of lists. */
export const byTitle: readonly SQL[] = [asc(products.search), asc(products.id)]

/** The columns that only managers see; boxes in the order in which they were linked. */
const stored = sql<Stored>`json_build_object(
  'version', ${products.version}, 'isDraft', ${isDraft}, 'schedule', ${products.schedule}, 'updatedAt', ${products.updatedAt}, 'categoryTitle', ${categories.title},
  'images', ${imagesOf(products.id)},
  'boxes', (
    select coalesce(json_agg(json_build_object('boxID', b.box_id, 'quantity', ${finite(sql`b.quantity`)})
      order by b.created_at, b.box_id), '[]')
    from product_boxes b where b.product_id = ${products.id}),
  'recalledBoxes', (
    select coalesce(json_agg(x.id order by x.id), '[]')
    from product_boxes b join boxes x on x.id = b.box_id
    where b.product_id = ${products.id} and x.recall_id is not null),
  'offSaleBoxes', (
    select coalesce(json_agg(x.id order by x.id), '[]')
    from product_boxes b join boxes x on x.id = b.box_id
    where b.product_id = ${products.id} and x.off_sale_at is not null),
  'waiting', (
    select count(*) from stock_notices n
    where n.product_id = ${products.id} and n.confirmed_at is not null and n.ends_at > clock_timestamp()))`

type Stored = Pick<
  ManagedProduct,
  | 'version'
  | 'isDraft'
  | 'schedule'
  | 'categoryTitle'
  | 'boxes'
  | 'recalledBoxes'
  | 'offSaleBoxes'
  | 'waiting'
> & {
  updatedAt: string
  images: ImageRow[]
}

/** Products that match `where`, as managers see them, in one query. */
async function managedProducts(
  db: Db | Tx,
  where: SQL,
  order: readonly SQL[] = byTitle,
): Promise<ManagedProduct[]> {
  const found = await db
    .select({ row: storedProduct, more: stored })
    .from(products)
    .innerJoin(categories, eq(categories.id, products.categoryId))
    .where(where)
    .orderBy(...order)
  const backing = await backingOf(
    db,
    found.map(({ row }) => row.id),
  )
  return found.map(({ row, more: { images, updatedAt, ...more } }) => ({
    ...storedView(row, images),
    ...more,
    sellable: sellableUnits(row.stock, backing.get(row.id)),
    updatedAt: timeText(new Date(updatedAt)),
  }))
}

/** One product as managers see it. @throws ShopError `product.not_found` */
export async function managedProduct(db: Db | Tx, id: string): Promise<ManagedProduct> {
  const [managed] = await managedProducts(db, eq(products.id, id))
  if (managed === undefined) throw productNotFound()
  return managed
}

/** Reads and locks the product until the transaction ends. @throws ShopError `product.not_found` */
export async function lockProduct(tx: CatalogueTx, id: string): Promise<ManagedProduct> {
  const [found] = await lock(tx).products([id])
  if (!found.has(id)) throw productNotFound()
  return managedProduct(tx, id)
}

/** The product without links to boxes that the principal's key may not access. */
export const seenBy = (principal: Principal, product: ManagedProduct): ManagedProduct => ({
  ...product,
  boxes: product.boxes.filter(({ boxID }) => canAccessBox(principal, boxID)),
  recalledBoxes: product.recalledBoxes.filter((boxID) => canAccessBox(principal, boxID)),
  offSaleBoxes: product.offSaleBoxes.filter((boxID) => canAccessBox(principal, boxID)),
})

export const productNotFound = (): ShopError =>
  new ShopError('product.not_found', 'There is no such product.')

/** Products per batch: reading, writing or comparing them takes at most about 30 ms. */
const PART = 250

/**
 * Splits `all` into batches and yields to the event loop between them: the embedded database runs in this process and
 * would otherwise block all requests.
 */
export async function* batched<Item>(all: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < all.length; from += PART) {
    if (from > 0) await yieldToEventLoop()
    yield all.slice(from, from + PART)
  }
}

/**
 * All products by title, read in batches. A product that changes meanwhile is still read once.
 * @param read reads the products that match a condition, by title
 */
export async function* everyProduct<Row>(db: Db, read: (some: SQL) => Promise<Row[]>): AsyncGenerator<Row[]> {
  const all = await db
    .select({ id: products.id })
    .from(products)
    .orderBy(...byTitle)
  for await (const part of batched(all)) yield await read(isOneOf(part.map(({ id }) => id)))
}

/** Products by id: those of `ids` that there are, read in batches without a lock. */
export async function productsOf(db: Db | Tx, ids: Iterable<string>): Promise<Map<string, ProductRow>> {
  const found = new Map<string, ProductRow>()
  for await (const part of batched([...new Set(ids)]))
    for (const row of await db.select().from(products).where(isOneOf(part))) found.set(row.id, row)
  return found
}

/** Matches products with these ids, as one parameter: a statement can have at most 65,535. */
const isOneOf = (ids: readonly string[]): SQL => sql`${products.id} = any(${sql.param(ids)}::text[])`
