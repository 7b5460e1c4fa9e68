import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { byShelf, byTitle, categoryColumns } from '#server/catalogue/category-columns.ts'
import { categoryView } from '#server/catalogue/views.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { pickFields, sortKeys } from '#server/db/column-map.ts'
import { searchNormalized } from '#server/db/schema/columns.ts'
import { files } from '#server/db/schema/files.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { matchesAllWords, orderBy } from '#server/db/search-and-order.ts'
import { timeText } from '#server/db/stored-values.ts'
import { type ListQuery, pageOf } from '#server/http/list-query.ts'

/** Number of a category's products, of any status. */
const productCount = sql<number>`(select count(*)::int from ${products} where ${products.categoryId} = ${categories.id})`

const sortable = sortKeys(categoryColumns, { updated: categories.updatedAt })

/** Categories as managers see them that match `where`. */
async function readCategories(db: Db | Tx, where: SQL | undefined, order: readonly SQL[], page?: Page) {
  const query = db
    .select({ row: categories, file: files, products: productCount })
    .from(categories)
    .leftJoin(files, eq(files.path, categories.imagePath))
    .where(where)
    .orderBy(...order)
    .$dynamic()
  const found = await (page === undefined ? query : query.limit(page.size).offset(page.offset))
  return found.map(
    ({ row, file, products }): ManagedCategory => ({
      ...categoryView(row, file),
      products,
      version: row.version,
      updatedAt: timeText(row.updatedAt),
    }),
  )
}

type Page = { size: number; offset: number }

/** Categories, sorted by shelf and title by default. `q` searches title and description. */
export async function listCategories(db: Db, query: ListQuery): Promise<Paged<ManagedCategory>> {
  const { page, size, offset } = pageOf(query)
  const text = searchNormalized(sql`${categories.title} || E'\\n' || ${categories.description}`)
  const where = and(query.status && eq(categories.status, query.status), matchesAllWords(text, query.q))
  const column = sortable.get(query.sort ?? '')
  const order = column === undefined ? asShelved : orderBy(column, categories.id, query.dir)
  const [total, rows] = await Promise.all([
    db.$count(categories, where),
    readCategories(db, where, order, { size, offset }),
  ])
  return { rows, page, size, total }
}

/** By shelf position. */
const asShelved: readonly SQL[] = [asc(byShelf), asc(byTitle), asc(categories.id)]

/** Every category, as `GET /api/category` has it without a query. Source: spec §7. */
export const allCategories = (db: Db): Promise<ManagedCategory[]> => readCategories(db, undefined, asShelved)

/** The audited fields of a category: those that managers edit. */
export const auditedCategory = (category: ManagedCategory): Record<string, unknown> => ({
  ...pickFields(categoryColumns, category),
  imagePath: category.imagePath,
  imageAlt: category.image?.alt ?? '',
})

/** One category; undefined: none. */
export const findCategory = async (db: Db | Tx, id: string): Promise<ManagedCategory | undefined> =>
  (await readCategories(db, eq(categories.id, id), []))[0]
