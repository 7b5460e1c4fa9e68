import { createHash } from 'node:crypto'
import type { ImportReport } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { and, asc, isNull, sql } from 'drizzle-orm'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { productColumns } from '#server/catalogue/columns.ts'
import { storedColumns } from '#server/db/column-map.ts'
import { lock } from '#server/db/lock.ts'
import { categories, linkedPictures, productImages } from '#server/db/schema/shop.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import { enqueueUnused, type PutFile, type StoringFiles } from '#server/files/store-file.ts'
import { saveImage } from '#server/files/store-image.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import type { ImageProcessor } from '#server/images/image-processor.ts'
import { isAddress } from './fetch-picture.ts'
import { assertRoomForLinks, linkPictures } from './linked-pictures.ts'
import { type ImportPlan, MAX_BAD_ROWS, type Meant, type Present, planImport } from './plan-import.ts'
import { type BadRow, type CsvRow, pictureNames, readCsv } from './product-csv.ts'
import type { ProductZip } from './product-zip.ts'
import { assertUnitsFree } from './unit-in-use.ts'
import { addImages, derivedId, insertMany, writeMany } from './write-many.ts'
import { unreadPictures, withZipPictures, type ZipPictures } from './zip-pictures.ts'

export type ImportDeps = CatalogueWriter &
  StoringFiles & {
    now: () => Date
    images: ImageProcessor
    config: { PICTURE_PRIVATE_HOSTS: readonly string[] }
  }

/** A file of products, and the ZIP that it came in. */
type ProductFile = { text: string; zip?: ProductZip }

type Options = { dryRun: boolean; meant?: Meant }

const MAX_ROWS = 20_000

/**
 * Imports a file of products with its pictures: all of it, or nothing when a row is bad. With `dryRun` nothing is written
 * and the report says what would be. The same file again changes nothing. Pictures take their time, so they are looked
 * at only once the rows are good.
 * @throws ShopError `input.invalid`, details `{ report }`
 */
export async function importProducts(
  deps: ImportDeps,
  principal: Principal,
  { text, zip }: ProductFile,
  { dryRun, meant = [] }: Options,
): Promise<ImportReport> {
  const { rows, bad } = await readCsv(text)
  if (rows.length > MAX_ROWS)
    throw new ShopError('input.too_large', `A file may have at most ${MAX_ROWS} products.`)
  const hash = createHash('sha256').update(text).digest('hex')
  const file: ReadFile = { rows, bad, meant, idOf: (line) => derivedId(`${hash} ${line}`) }
  if (zip === undefined) return settle(await runImport(deps, principal, file, { dryRun }), dryRun)
  const first = await runImport(deps, principal, file, { dryRun: true, pictures: unreadPictures(zip) })
  if (first.bad.length > 0) return settle(first, dryRun)
  return withZipPictures(
    deps,
    zip,
    rows.flatMap(({ cells }) => pictureNames(cells.pictures ?? '').filter((name) => !isAddress(name))),
    dryRun,
    async (found) => settle(await runImport(deps, principal, file, { dryRun, ...found }), dryRun),
  )
}

/** @throws ShopError for an import that was refused */
function settle(report: ImportReport, dryRun: boolean): ImportReport {
  if (dryRun || report.applied) return report
  throw new ShopError('input.invalid', `Nothing was changed: ${report.bad.length} rows are bad.`, {
    details: { report },
  })
}

type ReadFile = { rows: readonly CsvRow[]; bad: readonly BadRow[]; meant: Meant; idOf: Present['idOf'] }

/** `put`: those of the pictures that are in the file store, without a row yet. */
type Run = { dryRun: boolean; pictures?: ZipPictures | undefined; put?: readonly PutFile[] }

/** Compares a file with what there is now, and writes it unless it is a trial or bad. */
function runImport(
  deps: ImportDeps,
  principal: Principal,
  file: ReadFile,
  { dryRun, pictures, put = [] }: Run,
): Promise<ImportReport> {
  return changeCatalogue(
    deps,
    async (tx) => {
      for (const picture of put) await saveImage(tx, picture)
      const present = { ...(await readPresent(tx, file)), allowedHosts: deps.config.PICTURE_PRIVATE_HOSTS }
      const plan = await planImport(file.rows, { ...present, pictures }, file.meant)
      await assertRoomForLinks(tx, plan.links.length)
      await assertUnitsFree(tx, plan.changed)
      const report = reportOf(plan, file.bad, { dryRun, pictures })
      if (!report.applied) return settle(report, dryRun) // also takes back the rows of pictures
      const added = await writePlan(tx, principal, plan, deps.now())
      const used = new Set(added.flatMap(({ paths }) => paths))
      await enqueueUnused(
        tx,
        put.map(({ path }) => path).filter((path) => !used.has(path)),
      )
      return report
    },
    ({ applied }) => applied,
  )
}

/** Reads what there is, and locks it until the transaction ends. */
async function readPresent(
  tx: CatalogueTx,
  { rows, idOf }: ReadFile,
): Promise<Omit<Present, 'pictures' | 'allowedHosts'>> {
  const titles = await tx
    .select({ id: categories.id, title: categories.title })
    .from(categories)
    .orderBy(inByteOrder(categories.id))
    .for('key share')
  const [products] = await lock(tx).products(rows.map(({ cells, line }) => cells._id || idOf(line)))
  const pictured = rows.flatMap(({ cells }) => (cells._id && cells.pictures ? cells._id : []))
  const images = await tx
    .select({ id: productImages.productId, path: productImages.path })
    .from(productImages)
    .where(sql`${productImages.productId} = any(${sql.param(pictured)}::text[])`)
    .orderBy(asc(productImages.position))
  const byProduct = Map.groupBy(images, ({ id }) => id)
  const asked = await tx
    .select({ id: linkedPictures.productId, address: linkedPictures.address })
    .from(linkedPictures)
    .where(
      and(
        sql`${linkedPictures.productId} = any(${sql.param(pictured)}::text[])`,
        isNull(linkedPictures.failedAt),
      ),
    ) // what was given up is asked for anew
  return {
    products,
    images: new Map([...byProduct].map(([id, of]) => [id, of.map(({ path }) => path)])),
    asked: new Map(
      [...Map.groupBy(asked, ({ id }) => id)].map(([id, of]) => [
        id,
        new Set(of.map(({ address }) => address)),
      ]),
    ),
    categories: new Map(titles.map(({ id, title }) => [id, title])),
    idOf,
  }
}

function reportOf(
  plan: ImportPlan,
  unreadable: readonly BadRow[],
  { dryRun, pictures = new Map() }: Pick<Run, 'dryRun' | 'pictures'>,
): ImportReport {
  const bad = [...unreadable, ...plan.bad].sort((a, b) => a.line - b.line)
  return {
    created: plan.created.length,
    changed: plan.changed.length + plan.onlyLinked,
    unchanged: plan.unchanged,
    examples: plan.examples,
    rows: plan.rows,
    bad: bad.slice(0, MAX_BAD_ROWS),
    pictures: {
      added: plan.rows.reduce((sum, { diff }) => sum + picturesIn(diff.pictures?.to), 0) - plan.links.length,
      linked: plan.links.length,
      unused: [...pictures].filter(([key]) => !plan.named.has(key)).map(([, { name }]) => name.slice(0, 200)),
    },
    applied: !dryRun && bad.length === 0,
  }
}

const picturesIn = (to: unknown): number => (Array.isArray(to) ? to.length : 0)

/** Writes a plan. Returns the pictures that products got. */
async function writePlan(
  tx: CatalogueTx,
  principal: Principal,
  plan: ImportPlan,
  now: Date,
): Promise<{ id: string; paths: readonly string[] }[]> {
  await writeMany(tx, actorId(principal), plan.changed, now)
  const made = plan.created.map(({ id, input, imagePaths }) => {
    const row = { ...storedColumns(productColumns, input), id }
    return imagePaths.length === 0 ? row : { ...row, imagePaths }
  })
  // The same file, sent twice at once, made some of them meanwhile.
  const isNew = await insertMany(tx, actorId(principal), made, now)
  const added = [
    ...plan.changed.map(({ before, images }) => ({ id: before.id, paths: images?.added ?? [] })),
    ...plan.created
      .filter(({ id }) => isNew.has(id))
      .map(({ id, imagePaths }) => ({ id, paths: imagePaths })),
  ].filter(({ paths }) => paths.length > 0)
  await addImages(tx, added)
  const madeElsewhere = new Set(plan.created.map(({ id }) => id).filter((id) => !isNew.has(id)))
  const links = plan.links.filter(({ productId }) => !madeElsewhere.has(productId))
  await linkPictures(tx, actorId(principal), links)
  return added
}
