import { ImageAlt, ProductInput, ProductPatch } from '@befaqt/domain/catalogue'
import { ScheduleChange } from '@befaqt/domain/schedule'
import { MAX_IMAGES } from '@befaqt/domain/upload-limits'
import { z } from 'zod'
import { productColumns } from '#server/catalogue/columns.ts'
import { typedFieldsOf } from '#server/db/column-map.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { coerceFormFields, type Form } from '#server/http/multipart-form.ts'
import { Version } from '#server/http/optimistic-lock.ts'
import type { ImageProcessor, NormalizedImage } from '#server/images/image-processor.ts'
import { normalizeImages } from '#server/images/image-processor.ts'

/** Which images stay and where new ones go, and all alternative texts. */
const places = {
  imagePaths: z.array(z.string().max(100)).max(100).optional(),
  imageAlts: z.array(ImageAlt).max(100).optional(),
}
/** Forms have it as text. */
const schedule = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}, ScheduleChange.optional())
/** `_id`: the one it is to have. Sent again after an answer that was lost, it is made once. */
export const NewProduct = ProductInput.extend({
  ...places,
  schedule,
  _id: z.uuid({ version: 'v4', error: '_id must be a UUID, version 4' }).optional(),
})
export const ChangedProduct = ProductPatch.extend({ ...places, schedule, version: Version })
export type NewProduct = z.infer<typeof NewProduct>
export type ChangedProduct = z.infer<typeof ChangedProduct>

const PICTURES = 'productImages'

const { numbers, booleans } = typedFieldsOf(productColumns)
/** Fields that are not text, to convert values of forms and CSV files. */
export const typedColumns = { numbers: [...numbers, 'version'], booleans }

/** A new product with its images. @throws ShopError `input.invalid`; at least one image is required. Source: spec §5 */
export async function newProduct(
  pictures: ImageProcessor,
  form: Form,
): Promise<{ input: NewProduct; pictures: NormalizedImage[] }> {
  const missing =
    form.files.length === 0 ? [{ path: PICTURES, message: 'at least one image is required' }] : []
  const input = parse(NewProduct, coerceFormFields(form, typedColumns), missing)
  return { input, pictures: await picturesOf(pictures, form) }
}

/** The fields of a product to change, and uploaded images. */
export async function changedProduct(
  pictures: ImageProcessor,
  form: Form,
): Promise<{ patch: ChangedProduct; pictures: NormalizedImage[] }> {
  const patch = parse(ChangedProduct, coerceFormFields(form, typedColumns))
  return { patch, pictures: await picturesOf(pictures, form) }
}

async function picturesOf(pictures: ImageProcessor, { files }: Form): Promise<NormalizedImage[]> {
  const stray = files.find(({ field }) => field !== PICTURES && field !== `${PICTURES}[]`)
  if (stray !== undefined) throw fieldError(stray.field, 'no file is accepted under this name')
  return normalizeImages(pictures, PICTURES, files)
}

/** An image in order, with its alternative text. */
export type OrderedImage = { path: string; alt: string }

const NEW = /^new:(\d{1,3})$/

/**
 * A product's images after a change, in order. `wanted` lists the paths that stay and, as 'new:0', 'new:1' …, where
 * uploads go; uploads not named there go last. Without `wanted` all stay. Duplicates are removed.
 * @param alts alternative texts, parallel to the result; a missing one leaves the text unchanged
 * @throws ShopError `input.invalid` for a path that the product doesn't have, or when no image would be left
 */
export function orderedImages(
  before: readonly OrderedImage[],
  uploads: readonly string[],
  { wanted, alts }: { wanted?: readonly string[] | undefined; alts?: readonly string[] | undefined },
): OrderedImage[] {
  const said = new Map(before.map(({ path, alt }) => [path, alt]))
  const named = (wanted ?? [...said.keys()]).filter((entry) => entry !== '')
  const paths = named.map((entry, i) => {
    const upload = NEW.exec(entry)
    const path = upload ? uploads[Number(upload[1])] : said.has(entry) ? entry : undefined
    if (path === undefined) throw fieldError(`imagePaths[${i}]`, 'is not a picture of this product')
    return path
  })
  const all = [...new Set([...paths, ...uploads])]
  if (all.length === 0 && before.length > 0)
    throw fieldError('productImages', 'at least one image is required')
  if (all.length > MAX_IMAGES) throw fieldError('productImages', `at most ${MAX_IMAGES} images are allowed`)
  return all.map((path, i) => ({ path, alt: alts?.[i] ?? said.get(path) ?? '' }))
}
