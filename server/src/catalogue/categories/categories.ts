import { randomUUID } from 'node:crypto'
import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { CategoryInput, CategoryPatch, ImageAlt } from '@befaqt/domain/catalogue'
import { ShopError } from '@befaqt/domain/errors'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { byShelf, byTitle, categoryColumns, storedCategory } from '#server/catalogue/columns.ts'
import { categoryView } from '#server/catalogue/views.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { pickFields, sortKeys } from '#server/db/column-map.ts'
import { countListed, keysetPage, type Part, rising, sortedBy } from '#server/db/keyset.ts'
import { searchNormalized } from '#server/db/schema/columns.ts'
import { files } from '#server/db/schema/files.ts'
import { categories, products } from '#server/db/schema/shop.ts'
import { matchesAllWords } from '#server/db/search-and-order.ts'
import { isUniqueViolation } from '#server/db/sql-errors.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { enqueueUnused } from '#server/files/store-file.ts'
import { withImages } from '#server/files/store-image.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { ListQuery } from '#server/http/list-query.ts'
import { coerceFormFields, type Form } from '#server/http/multipart-form.ts'
import { checkVersion, Version } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { ImageProcessor, NormalizedImage } from '#server/images/image-processor.ts'
import { normalizeImages } from '#server/images/image-processor.ts'

/** Number of a category's products, of any status. */
const productCount = sql<number>`(select count(*)::int from ${products} where ${products.categoryId} = ${categories.id})`

const sortable = sortKeys(categoryColumns, { updated: categories.updatedAt })

/** Categories as managers see them that match `where`. */
async function readCategories(db: Db | Tx, where: SQL | undefined) {
  const found = await selected(db, {
    where,
    order: [asc(byShelf), asc(byTitle), asc(categories.id)],
    at: sql`''`,
  })
  return found.map(managedCategory)
}

const selected = (db: Db | Tx, { where, order, at }: Pick<Part, 'where' | 'order' | 'at'>) =>
  db
    .select({ row: categories, file: files, products: productCount, at })
    .from(categories)
    .leftJoin(files, eq(files.path, categories.imagePath))
    .where(where)
    .orderBy(...order)
    .$dynamic()

type Selected = Awaited<ReturnType<typeof selected>>[number]

const managedCategory = ({ row, file, products }: Selected): ManagedCategory => ({
  ...categoryView(row, file),
  products,
  version: row.version,
  updatedAt: timeText(row.updatedAt),
})

/** Categories, sorted by shelf and title by default. `q` searches title and description. */
export async function listCategories(db: Db, query: ListQuery): Promise<Paged<ManagedCategory>> {
  const text = searchNormalized(sql`${categories.title} || E'\\n' || ${categories.description}`)
  const match = and(query.status && eq(categories.status, query.status), matchesAllWords(text, query.q))
  const column = sortable.get(query.sort ?? '')
  const keys = column === undefined ? asShelved : sortedBy(column, categories.id, query.dir)
  const { rows, ...page } = await keysetPage(
    query,
    { keys, of: ['categories', query] },
    ({ where, limit, offset, ...part }) =>
      selected(db, { ...part, where: and(match, where) })
        .limit(limit)
        .offset(offset),
    (beyond) => countListed(db, categories, match, beyond),
  )
  return { ...page, rows: rows.map(managedCategory) }
}

const asShelved = [rising(byShelf), rising(byTitle), rising(categories.id)]

/** Every category, as `GET /api/category` has it without a query. Source: spec §7. */
export const allCategories = (db: Db): Promise<ManagedCategory[]> => readCategories(db, undefined)

/** The audited fields of a category: those that managers edit. */
const auditedCategory = (category: ManagedCategory): Record<string, unknown> => ({
  ...pickFields(categoryColumns, category),
  imagePath: category.imagePath,
  imageAlt: category.image?.alt ?? '',
})

/** One category; undefined: none. */
export const findCategory = async (db: Db | Tx, id: string): Promise<ManagedCategory | undefined> =>
  (await readCategories(db, eq(categories.id, id)))[0]

/** Creates a category with its image. @throws ShopError `category.title_taken` */
export async function createCategory(
  deps: CatalogueWriter & StoringFiles & { now: () => Date },
  principal: Principal,
  { input, picture }: { input: NewCategory; picture: NormalizedImage },
): Promise<ManagedCategory> {
  return withImages(deps, [picture], (keep) =>
    changeCatalogue(deps, async (tx) => {
      const [stored] = await keep(tx)
      const id = randomUUID()
      const now = deps.now()
      await tx.insert(categories).values({
        ...storedCategory(input),
        id,
        imagePath: stored?.path ?? null,
        imageAlt: input.imageAlt,
        createdAt: now,
        updatedAt: now,
      })
      const made = await findCategory(tx, id)
      if (made === undefined) throw new Error('the category was not written')
      await writeAuditEntry(tx, principal, 'category', id, { before: null, after: auditedCategory(made) })
      return made
    }),
  ).catch(rejectTakenTitle)
}

/** A title that differs from another only in white space or case would have the same URL. Source: product.md. */
function rejectTakenTitle(error: unknown): never {
  if (!isUniqueViolation(error, 'categories_titleKey_unique')) throw error
  const message = 'There is a category with this title already (white space and case make no difference).'
  throw new ShopError('category.title_taken', message, { fields: [{ path: 'title', message }], cause: error })
}

/**
 * Changes a category. A new image replaces the old one, which is removed unless something else refers to it.
 * @throws ShopError `category.not_found`, `category.title_taken`, `version.stale`
 */
export async function updateCategory(
  deps: CatalogueWriter & StoringFiles & { now: () => Date },
  principal: Principal,
  id: string,
  change: { patch: Omit<ChangedCategory, 'version'>; picture?: NormalizedImage; version: number | undefined },
): Promise<ManagedCategory> {
  const { patch, picture, version } = change
  return withImages(deps, picture ? [picture] : [], (keep) =>
    changeCatalogue(deps, async (tx) => {
      const [stored] = await keep(tx)
      const before = await lockCategory(tx, id)
      checkVersion(version, before)
      await tx
        .update(categories)
        .set({
          ...storedCategory(patch),
          ...(patch.imageAlt !== undefined && { imageAlt: patch.imageAlt }),
          ...(stored && { imagePath: stored.path }),
          version: before.version + 1,
          updatedAt: deps.now(),
        })
        .where(eq(categories.id, id))
      if (stored && before.imagePath !== '' && before.imagePath !== stored.path)
        await enqueueUnused(tx, [before.imagePath])
      const after = (await findCategory(tx, id)) ?? before
      await writeAuditEntry(tx, principal, 'category', id, {
        before: auditedCategory(before),
        after: auditedCategory(after),
      })
      return after
    }),
  ).catch(rejectTakenTitle)
}

/** Reads and locks the category until the transaction ends. @throws ShopError `category.not_found` */
async function lockCategory(tx: CatalogueTx, id: string): Promise<ManagedCategory> {
  await tx.select({ id: categories.id }).from(categories).where(eq(categories.id, id)).for('update')
  const category = await findCategory(tx, id)
  if (category === undefined) throw new ShopError('category.not_found', 'There is no such category.')
  return category
}

/**
 * Deletes a DISABLED category without products, and its image unless something else refers to it.
 * @throws ShopError `category.not_found`, `delete.not_disabled`, `category.has_products`, `version.stale`
 */
export async function deleteCategory(
  deps: CatalogueWriter,
  principal: Principal,
  id: string,
  version: number | undefined,
): Promise<void> {
  await changeCatalogue(deps, async (tx) => {
    const category = await lockCategory(tx, id)
    checkVersion(version, category)
    if (category.status !== 'DISABLED')
      throw new ShopError('delete.not_disabled', 'Only a DISABLED category can be deleted.')
    if (category.products > 0)
      throw new ShopError(
        'category.has_products',
        `This category has ${category.products} ${category.products === 1 ? 'product' : 'products'}. Move or delete them first.`,
        { details: { products: category.products } },
      )
    await tx.delete(categories).where(eq(categories.id, id))
    if (category.imagePath !== '') await enqueueUnused(tx, [category.imagePath])
    await writeAuditEntry(tx, principal, 'category', id, { before: auditedCategory(category), after: null })
  })
}

export const NewCategory = CategoryInput.extend({ imageAlt: ImageAlt.default('') })
export const ChangedCategory = CategoryPatch.extend({ imageAlt: ImageAlt.optional(), version: Version })
export type NewCategory = z.infer<typeof NewCategory>
export type ChangedCategory = z.infer<typeof ChangedCategory>

const PICTURE = 'catImage'

/** A new category and its image. @throws ShopError `input.invalid`: the image is required. Source: spec §5 */
export async function newCategory(
  pictures: ImageProcessor,
  form: Form,
): Promise<{ input: NewCategory; picture: NormalizedImage }> {
  const missing = { path: PICTURE, message: 'an image is required' }
  const input = parse(NewCategory, fieldsOf(form), form.files.length === 0 ? [missing] : [])
  const picture = await pictureOf(pictures, form)
  if (picture === undefined) throw fieldError(PICTURE, missing.message)
  return { input, picture }
}

/** The fields to change; a new image replaces the old one. */
export async function changedCategory(
  pictures: ImageProcessor,
  form: Form,
): Promise<{ patch: ChangedCategory; picture?: NormalizedImage }> {
  const patch = parse(ChangedCategory, fieldsOf(form))
  const picture = await pictureOf(pictures, form)
  return picture === undefined ? { patch } : { patch, picture }
}

const fieldsOf = (form: Form): Record<string, unknown> =>
  coerceFormFields(form, { numbers: ['version'], booleans: [] })

async function pictureOf(pictures: ImageProcessor, { files }: Form): Promise<NormalizedImage | undefined> {
  const stray = files.find(({ field }) => field !== PICTURE)
  if (stray !== undefined) throw fieldError(stray.field, 'no file is accepted under this name')
  if (files.length > 1) throw fieldError(PICTURE, 'only one image is accepted')
  return (await normalizeImages(pictures, PICTURE, files))[0]
}
