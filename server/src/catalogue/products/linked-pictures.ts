import { join } from 'node:path'
import type { LinkedPictures } from '@befaqt/domain/api/manage-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_IMAGES, MAX_LINKED_PICTURES } from '@befaqt/domain/upload-limits'
import { and, asc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type CatalogueWriter, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { deletes, moment, type Retention } from '#server/db/retention.ts'
import { linkedPictures, productImages, products } from '#server/db/schema/shop.ts'
import { enqueueUnused, type StoringFiles } from '#server/files/store-file.ts'
import { withImages } from '#server/files/store-image.ts'
import { temporaryFolder } from '#server/http/received-file.ts'
import type { ImageProcessor, NormalizedImage } from '#server/images/image-processor.ts'
import { enqueue, enqueueAll } from '#server/jobs/queue.ts'
import { type JobHandler, PermanentError } from '#server/jobs/run.ts'
import { fetchPicture, PictureRefused } from './fetch-picture.ts'
import { addImages, derivedId, writeMany } from './write-many.ts'

/** The queue of pictures that are to be fetched. */
export const PICTURE_QUEUE = 'product.picture'

/** Attempts until a picture is given up: with the queue's backoff that is some three hours. */
const MAX_ATTEMPTS = 12
const MAX_REASON = 300
const KEPT_MS = 30 * DAY_MS
/** Of those that are not there yet, in a list. */
const MAX_LISTED = 100

/** A picture to be fetched. `sellsVersion`: the new product goes on sale with it in this version. */
export type NewLink = { productId: string; address: string; sellsVersion: number | null }

const isWaiting = and(isNull(linkedPictures.doneAt), isNull(linkedPictures.failedAt))

/**
 * Has pictures fetched once this is committed; what was asked for before is not asked for again, unless it
 * was given up. The products are locked, or new.
 */
export async function linkPictures(tx: Tx, who: string, links: readonly NewLink[]): Promise<void> {
  if (links.length === 0) return
  const values = links.map((link) => ({ ...link, id: derivedId(`${link.productId} ${link.address}`), who }))
  const added = await tx
    .insert(linkedPictures)
    .values(values)
    .onConflictDoUpdate({
      target: linkedPictures.id,
      set: { attempts: 0, failedAt: null },
      setWhere: isNotNull(linkedPictures.failedAt),
    })
    .returning({ id: linkedPictures.id })
  const isNew = new Set(added.map(({ id }) => id))
  const jobs = values.filter(({ id }) => isNew.has(id)).map(({ id }) => ({ payload: { id }, uniqueKey: id }))
  await enqueueAll(tx, PICTURE_QUEUE, jobs)
}

/** @throws ShopError `input.too_large` where so many more would be too many that wait */
export async function assertRoomForLinks(tx: Tx, more: number): Promise<void> {
  if (more === 0 || (await tx.$count(linkedPictures, isWaiting)) + more <= MAX_LINKED_PICTURES) return
  const most = MAX_LINKED_PICTURES.toLocaleString('en-AU')
  throw new ShopError(
    'input.too_large',
    `At most ${most} pictures can wait to be fetched. Make several files of it, or wait until those before are there.`,
  )
}

type Deps = CatalogueWriter &
  StoringFiles & {
    now: () => Date
    images: ImageProcessor
    config: { PICTURE_PRIVATE_HOSTS: readonly string[] }
  }
type Link = typeof linkedPictures.$inferSelect

const Job = z.object({ id: z.string() })

/** The job: fetches a picture and adds it to its product. Whatever became of the product meanwhile stays. */
export const fetchPictureJob =
  (deps: Deps): JobHandler =>
  async (payload, signal) => {
    const { id } = Job.parse(payload)
    const [link] = await deps.db
      .select()
      .from(linkedPictures)
      .where(and(eq(linkedPictures.id, id), isWaiting))
    if (link === undefined) return
    try {
      await addPicture(deps, link, await readPicture(deps, link.address, signal), signal)
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof Error ? error.message.slice(0, MAX_REASON) : 'unknown'
      const isLast = error instanceof PictureRefused || link.attempts + 1 >= MAX_ATTEMPTS
      await deps.db
        .update(linkedPictures)
        .set({
          attempts: sql`${linkedPictures.attempts} + 1`,
          lastError: reason,
          ...(isLast && { failedAt: deps.now() }),
        })
        .where(and(eq(linkedPictures.id, id), isWaiting))
      throw isLast ? new PermanentError(reason, error) : error
    }
  }

async function readPicture(deps: Deps, address: string, signal: AbortSignal): Promise<NormalizedImage> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'picture')
  await fetchPicture(address, path, { allowed: deps.config.PICTURE_PRIVATE_HOSTS, signal })
  const read = await deps.images.normalize(path)
  if (typeof read === 'string') throw new PictureRefused(`It ${read}.`)
  return read
}

/** Adds a picture after those that the product has, and sets a new product ACTIVE that nobody has changed since. */
async function addPicture(
  deps: Deps,
  { id, productId }: Link,
  picture: NormalizedImage,
  signal: AbortSignal,
): Promise<void> {
  await withImages(deps, [picture], (save) =>
    changeCatalogue(
      deps,
      async (tx) => {
        const [stored] = await save(tx)
        const [found] = await lock(tx).products([productId])
        const before = found.get(productId)
        const [link] = await tx
          .select()
          .from(linkedPictures)
          .where(and(eq(linkedPictures.id, id), isWaiting))
          .for('update')
        if (stored === undefined) return false
        if (before === undefined || link === undefined) {
          await enqueueUnused(tx, [stored.path]) // it was taken back, or the product is gone
          return false
        }
        const has = await pathsOf(tx, productId)
        await tx
          .update(linkedPictures)
          .set({ doneAt: deps.now(), lastError: null })
          .where(eq(linkedPictures.id, id))
        if (has.includes(stored.path)) return false
        if (has.length >= MAX_IMAGES)
          throw new PictureRefused(`The product has ${MAX_IMAGES} pictures already.`)
        signal.throwIfAborted()
        const sells = before.status === 'INACTIVE' && before.version === link.sellsVersion
        const after = sells ? { ...before, status: 'ACTIVE' as const } : before
        await writeMany(
          tx,
          link.who,
          [{ before, after, images: { before: has, added: [stored.path] } }],
          deps.now(),
        )
        await addImages(tx, [{ id: productId, paths: [stored.path] }])
        return true
      },
      (isAdded) => isAdded,
      { products: [productId] },
    ),
  )
}

const pathsOf = async (tx: Tx, productId: string): Promise<string[]> => {
  const images = await tx
    .select({ path: productImages.path })
    .from(productImages)
    .where(eq(productImages.productId, productId))
    .orderBy(asc(productImages.position))
  return images.map(({ path }) => path)
}

/** Pictures that are not there yet: those that were given up first. */
export async function listLinkedPictures(db: Db): Promise<LinkedPictures> {
  const rows = await db
    .select({
      _id: linkedPictures.id,
      product_id: linkedPictures.productId,
      title: products.title,
      address: linkedPictures.address,
      attempts: linkedPictures.attempts,
      failedAt: linkedPictures.failedAt,
      reason: linkedPictures.lastError,
    })
    .from(linkedPictures)
    .innerJoin(products, eq(products.id, linkedPictures.productId))
    .where(isNull(linkedPictures.doneAt))
    .orderBy(asc(linkedPictures.failedAt), asc(linkedPictures.createdAt), asc(linkedPictures.id))
    .limit(MAX_LISTED)
  const total = await db.$count(linkedPictures, isNull(linkedPictures.doneAt))
  return {
    total,
    waiting: await db.$count(linkedPictures, isWaiting),
    rows: rows.map(({ failedAt, ...row }) => ({ ...row, failed: failedAt !== null })),
  }
}

const notThere = (): ShopError =>
  new ShopError('not_found', 'This picture is not waited for any more: it is there, or it was left out.')

/** Has a picture tried again, with all its attempts. @throws ShopError `not_found` */
export const retryLinkedPicture = (db: Db, id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const [again] = await tx
      .update(linkedPictures)
      .set({ attempts: 0, failedAt: null })
      .where(and(eq(linkedPictures.id, id), isNull(linkedPictures.doneAt)))
      .returning({ id: linkedPictures.id })
    if (again === undefined) throw notThere()
    await enqueue(tx, PICTURE_QUEUE, { id }, { uniqueKey: id })
  })

/** Waits for a picture no longer. @throws ShopError `not_found` */
export async function dropLinkedPicture(db: Db, id: string): Promise<void> {
  const gone = await db
    .delete(linkedPictures)
    .where(and(eq(linkedPictures.id, id), isNull(linkedPictures.doneAt)))
    .returning({ id: linkedPictures.id })
  if (gone.length === 0) throw notThere()
}

/** What became of a picture is known for a month. */
export const linkedPictureRetention: readonly Retention[] = [
  deletes(linkedPictures, (now) => lt(linkedPictures.createdAt, moment(now, KEPT_MS))),
]
