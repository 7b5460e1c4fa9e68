import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Box } from '@befaqt/domain/box'
import { centsFromDecimal } from '@befaqt/domain/money'
import { titleKey } from '@befaqt/domain/title-path'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { importBox } from '#server/boxes/import-box.ts'
import { announceCatalogueChange } from '#server/catalogue/catalogue.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { categories, productBoxes, productImages, products } from '#server/db/schema/shop.ts'
import type { Deps } from '#server/deps.ts'
import { storeDataFile } from '#server/files/store-data-file.ts'
import { type StoredPicture, storePicture } from '#server/files/store-picture.ts'
import { Manifest, SampleCategory, SampleProduct } from './sample-files.ts'

const FOLDER = new URL('../../sample/', import.meta.url)

const readJson = async (name: string): Promise<unknown> =>
  JSON.parse(await readFile(new URL(name, FOLDER), 'utf8'))

/** Stores a drawing and answers it with its words. */
type Draw = (path: string) => Promise<StoredPicture & { alt: string }>

/** Loads shop and boxes of server/sample into an empty database, whole or not at all. A shop in use is left alone. */
export async function loadSample(deps: Deps): Promise<void> {
  const drawings = new Map(
    Manifest.parse(await readJson('images/manifest.json')).map((drawing) => [drawing.path, drawing]),
  )
  await deps.db.transaction(async (tx) => {
    await rows(tx, sql`lock table categories in exclusive mode`)
    if (!(await isEmpty(tx))) return
    const draw: Draw = async (path) => {
      const drawing = drawings.get(path)
      if (drawing === undefined) throw new Error(`the sample has no picture ${path}`)
      const bytes = await readFile(new URL(`images/${path}`, FOLDER))
      return { ...(await storePicture(tx, deps.files, { ...drawing, bytes })), alt: drawing.alt }
    }
    await loadBoxes(tx, deps, async (path) =>
      path.endsWith('.csv')
        ? storeDataFile(tx, deps.files, await readFile(new URL(path, FOLDER)))
        : (await draw(path)).path,
    )
    await loadProducts(tx, draw, await loadCategories(tx, draw))
    await announceCatalogueChange(tx)
  })
  deps.catalogue.changed()
}

async function isEmpty(tx: Tx): Promise<boolean> {
  const [found] = await rows<{ any: boolean }>(
    tx,
    sql`select exists (select from categories) or exists (select from products) or exists (select from boxes) as any`,
  )
  return found?.any === false
}

/** Sample boxes name their pictures `box/…` and data files `enose/…`; in the shop they are files like any other. */
const SAMPLE_FILE = /"((?:box|enose)\/[a-z0-9-]+\.(?:webp|csv))"/g

/** Their times are fixed, so the clock of a machine that runs behind must not refuse them. */
async function loadBoxes(tx: Tx, deps: Deps, keep: (path: string) => Promise<string>): Promise<void> {
  const more = { by: 'sample', now: deps.now(), market: deps.siteFile.market, sample: true }
  const names = (await readdir(new URL('boxes/', FOLDER))).filter((name) => name.endsWith('.json')).sort()
  const stored = new Map<string, string>()
  for (const name of names) {
    const text = await readFile(new URL(`boxes/${name}`, FOLDER), 'utf8')
    for (const [, path = ''] of text.matchAll(SAMPLE_FILE))
      if (!stored.has(path)) stored.set(path, await keep(path))
    const filled = text.replaceAll(SAMPLE_FILE, (_, path: string) => JSON.stringify(stored.get(path)))
    await importBox(tx, Box.parse(JSON.parse(filled)), more)
  }
}

/** Answers the ids by title. */
async function loadCategories(tx: Tx, draw: Draw): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const category of z.array(SampleCategory).parse(await readJson('categories.json'))) {
    const { image, ...fields } = category
    const picture = await draw(`category/${image}.webp`)
    const id = randomUUID()
    ids.set(category.title, id)
    const key = titleKey(category.title)
    await tx
      .insert(categories)
      .values({ ...fields, id, titleKey: key, imagePath: picture.path, imageAlt: picture.alt })
  }
  return ids
}

async function loadProducts(tx: Tx, draw: Draw, categoryIds: ReadonlyMap<string, string>): Promise<void> {
  for (const product of z.array(SampleProduct).parse(await readJson('products.json'))) {
    const { category, images, boxes, price, includeGST, ...fields } = product
    const categoryId = categoryIds.get(category)
    if (categoryId === undefined) throw new Error(`sample product ${product.title}: no category ${category}`)
    const productId = randomUUID()
    await tx.insert(products).values({
      ...fields,
      id: productId,
      categoryId,
      priceCents: centsFromDecimal(price),
      includeGst: includeGST,
    })
    for (const [position, slug] of images.entries()) {
      const { path, alt } = await draw(`product/${slug}.webp`)
      await tx.insert(productImages).values({ productId, position, path, alt })
    }
    for (const boxId of boxes)
      await tx.insert(productBoxes).values({ productId, boxId, quantity: fields.stock })
  }
}
