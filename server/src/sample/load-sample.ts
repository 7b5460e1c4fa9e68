import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { Box } from '@befaqt/domain/box'
import { CategoryInput, ProductInput } from '@befaqt/domain/catalogue'
import { DAY_MS, HOUR_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { instantOf, marketTime } from '@befaqt/domain/market-time'
import { SlotRuleInput } from '@befaqt/domain/slot-rules'
import { asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { importBox } from '#server/boxes/records/import-box.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/change-catalogue.ts'
import { productColumns, storedCategory } from '#server/catalogue/columns.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { storedColumns } from '#server/db/column-map.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { excursions } from '#server/db/schema/excursions.ts'
import { categories, productBoxes, productImages, products } from '#server/db/schema/shop.ts'
import { followBoxes, type WatchDeps } from '#server/excursions/follow-boxes.ts'
import {
  type PutFile,
  putFile,
  removeUnreferenced,
  type StoringFiles,
  saveFile,
} from '#server/files/store-file.ts'
import { putImage, saveImage } from '#server/files/store-image.ts'
import { fillSlots } from '#server/orders/slot-rules/fill-slots.ts'
import { insertRule } from '#server/orders/slot-rules/rules.ts'

const AGAIN_AFTER_MS = 5_000

/**
 * Loads the sample data; while the file store is unavailable, retries in the background.
 * @returns a function that stops it
 */
export async function loadSampleWhenPossible(
  deps: SampleDeps,
  againAfterMs = AGAIN_AFTER_MS,
): Promise<() => Promise<void>> {
  const ended = new AbortController()
  if (await isLoaded(deps)) return async () => undefined
  deps.log.warn({}, 'file store unavailable; retrying to load the sample data')
  const retry = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await wait(againAfterMs, undefined, { signal: ended.signal }).catch(() => undefined)
      if (ended.signal.aborted || (await isLoaded(deps))) return
    }
  }
  const retrying = retry().catch((err: unknown) => deps.log.error({ err }, 'loading the sample data failed'))
  return async () => {
    ended.abort()
    await retrying
  }
}

const isLoaded = (deps: SampleDeps): Promise<boolean> =>
  loadSample(deps).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ShopError && error.code === 'unavailable') return false
      throw error
    },
  )

const CSV = 'text/csv; charset=utf-8'
const FOLDER = new URL('../../sample/', import.meta.url)

const readJson = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(name, FOLDER), 'utf8'))

type SampleDeps = CatalogueWriter & StoringFiles & WatchDeps
/** A stored image or data file of the sample, with its alternative text. */
type Sample = PutFile & { alt: string }
/** Writes the row of a sample file, and returns the file. */
type SaveSample = (name: string) => Promise<Sample>

/**
 * Loads the products and boxes of server/sample into an empty database, all or nothing. A database in use is unchanged.
 * @throws ShopError `unavailable` when the file store fails; nothing is loaded then
 */
export async function loadSample(deps: SampleDeps): Promise<void> {
  if (!(await deps.db.transaction(isEmpty))) return
  const stored = new Map<string, Sample>()
  try {
    await storeFiles(deps, stored)
    await changeCatalogue(
      deps,
      async (tx) => {
        await rows(tx, sql`lock table categories in exclusive mode`)
        if (!(await isEmpty(tx))) return false
        const save: SaveSample = async (name) => {
          const sample = stored.get(name)
          if (sample === undefined) throw new Error(`missing sample file: ${name}`)
          if (name.endsWith('.csv')) await saveFile(tx, sample)
          else await saveImage(tx, sample)
          return sample
        }
        await loadBoxes(tx, deps, save)
        await loadExcursions(tx, deps)
        await loadProducts(tx, save, await loadCategories(tx, save))
        await loadSlotRules(tx, deps)
        return true
      },
      (loaded) => loaded,
    )
  } finally {
    await removeUnreferenced(deps.db, deps.files, [...stored.values()])
  }
}

/** Stores every image and data file of the sample, and adds it to `stored` by its name. */
async function storeFiles(deps: SampleDeps, stored: Map<string, Sample>): Promise<void> {
  for (const { path, alt, width, height } of Manifest.parse(await readJson('images/manifest.json'))) {
    const bytes = await readFile(new URL(`images/${path}`, FOLDER))
    stored.set(path, { ...(await putImage(deps, { bytes, width, height })), alt })
  }
  for (const name of (await readdir(new URL('enose/', FOLDER))).filter((name) => name.endsWith('.csv'))) {
    const bytes = await readFile(new URL(`enose/${name}`, FOLDER))
    const dataFile = { bytes, extension: 'csv', mediaType: CSV, width: 0, height: 0 } as const
    stored.set(`enose/${name}`, { ...(await putFile(deps, dataFile)), alt: '' })
  }
}

async function isEmpty(tx: Tx): Promise<boolean> {
  const [found] = await rows<{ any: boolean }>(
    tx,
    sql`select exists (select from categories) or exists (select from products) or exists (select from boxes) as any`,
  )
  return found?.any === false
}

/** Sample boxes refer to images as `box/…` and data files as `enose/…`; these names are replaced by stored paths. */
const SAMPLE_FILE = /"((?:box|enose)\/[a-z0-9-]+\.(?:webp|csv))"/g

/** Their times are moved by whole days, so that the newest is of the last 24 hours: a shop that starts today shows fish of this week. */
async function loadBoxes(tx: CatalogueTx, deps: SampleDeps, save: SaveSample): Promise<void> {
  const more = { by: 'sample', now: deps.now(), market: deps.siteFile.market, sample: true }
  const names = (await readdir(new URL('boxes/', FOLDER))).filter((name) => name.endsWith('.json')).sort()
  const texts = await Promise.all(names.map((name) => readFile(new URL(`boxes/${name}`, FOLDER), 'utf8')))
  const { timeZone } = deps.siteFile.market
  const days = daysSinceNewest(texts, deps.now(), timeZone)
  const stored = new Map<string, string>()
  for (const text of texts) {
    for (const [, path = ''] of text.matchAll(SAMPLE_FILE))
      if (!stored.has(path)) stored.set(path, (await save(path)).path)
    const filled = text
      .replaceAll(SAMPLE_FILE, (_, path: string) => JSON.stringify(stored.get(path)))
      .replaceAll(TIME, (_, time: string) => JSON.stringify(movedBy(days, time, timeZone)))
    await importBox(tx, Box.parse(JSON.parse(filled)), more)
  }
}

/** The excursions that their readings give; some are closed, an hour after they ended, in the order of their beginning. */
async function loadExcursions(tx: CatalogueTx, deps: SampleDeps): Promise<void> {
  const loaded = await tx.select({ id: boxes.id }).from(boxes)
  await followBoxes(
    tx,
    deps,
    loaded.map(({ id }) => id),
  )
  const found = await tx.select().from(excursions).orderBy(asc(excursions.since))
  for (const { boxID, reason } of z.array(SampleExcursion).parse(await readJson('excursions.json'))) {
    const index = found.findIndex(({ boxId }) => boxId === boxID)
    const [row] = index < 0 ? [] : found.splice(index, 1)
    if (row === undefined) throw new Error(`sample excursion of box ${boxID}: there is none`)
    const ended = (row.endedAt ?? row.since).getTime() + HOUR_MS
    const closedAt = new Date(Math.min(ended, deps.now().getTime()))
    const closed = { closedAt, closedBy: 'sample', closeReason: reason }
    await tx.update(excursions).set(closed).where(eq(excursions.id, row.id))
  }
}

/** A time of a sample box, in market time. */
const TIME = /"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)"/g

/** Whole days since the newest time in these boxes; negative when it is still to come. */
function daysSinceNewest(texts: readonly string[], now: Date, timeZone: string): number {
  const instants = texts.flatMap((text) =>
    [...text.matchAll(TIME)].map(([, time = '']) => instantOf(time, timeZone) ?? 0),
  )
  const newest = instants.reduce((most, one) => Math.max(most, one), 0)
  return Math.floor((now.getTime() - newest) / DAY_MS)
}

const movedBy = (days: number, time: string, timeZone: string): string =>
  marketTime((instantOf(time, timeZone) ?? 0) + days * DAY_MS, timeZone)

/** Returns the ids by title. */
async function loadCategories(tx: CatalogueTx, save: SaveSample): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const category of z.array(SampleCategory).parse(await readJson('categories.json'))) {
    const { image, ...fields } = category
    const picture = await save(`category/${image}.webp`)
    const id = randomUUID()
    ids.set(category.title, id)
    await tx.insert(categories).values({
      ...storedCategory(fields),
      id,
      imagePath: picture.path,
      imageAlt: picture.alt,
    })
  }
  return ids
}

async function loadProducts(
  tx: CatalogueTx,
  save: SaveSample,
  categoryIds: ReadonlyMap<string, string>,
): Promise<void> {
  for (const product of z.array(SampleProduct).parse(await readJson('products.json'))) {
    const { category, images, boxes, ...fields } = product
    const categoryId = categoryIds.get(category)
    if (categoryId === undefined) throw new Error(`sample product ${product.title}: no category ${category}`)
    const productId = randomUUID()
    const columns = storedColumns(productColumns, { ...fields, category_id: categoryId })
    await tx.insert(products).values({ ...columns, id: productId })
    for (const [position, slug] of images.entries()) {
      const { path, alt } = await save(`product/${slug}.webp`)
      await tx.insert(productImages).values({ productId, position, path, alt })
    }
    for (const boxId of boxes)
      await tx.insert(productBoxes).values({ productId, boxId, quantity: fields.stock, unit: fields.unit })
  }
}

/** Weekly times for pick-up and delivery, with the slots of the days ahead: there is always one to choose. */
async function loadSlotRules(tx: CatalogueTx, { now, siteFile }: SampleDeps): Promise<void> {
  for (const rule of z.array(SlotRuleInput).parse(await readJson('slot-rules.json')))
    await insertRule(tx, rule, siteFile.market.timeZone)
  await fillSlots(tx, now())
}

const slug = z.string().regex(/^[a-z0-9-]+$/)

/** One entry of server/sample/categories.json; `image` is a slug under images/category. */
const SampleCategory = CategoryInput.extend({ image: slug })

/** One entry of server/sample/products.json; `images` are slugs under images/product, `boxes` are boxIDs. */
const SampleProduct = ProductInput.omit({ category_id: true }).extend({
  category: z.string(),
  images: z.array(slug).min(1),
  boxes: z.array(z.string()).default([]),
})

/** One entry of server/sample/excursions.json: an excursion that was closed. */
const SampleExcursion = z.object({ boxID: z.string(), reason: z.string().min(1) })

/** server/sample/images/manifest.json: alternative text and size in px of each image. */
const Manifest = z.array(z.object({ path: z.string(), alt: z.string(), width: z.int(), height: z.int() }))
