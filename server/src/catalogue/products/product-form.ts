import { ImageAlt, ProductInput, ProductPatch } from '@befaqt/domain/catalogue'
import { z } from 'zod'
import { productColumns } from '#server/catalogue/product-columns.ts'
import { typedFieldsOf } from '#server/db/column-map.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Form } from '#server/http/multipart-form.ts'
import { coerceFormFields } from '#server/http/multipart-form.ts'
import { Version } from '#server/http/optimistic-lock.ts'
import { normalizeImages } from '#server/images/normalize-images.ts'
import type { ImageProcessor, NormalizedImage } from '#server/images/port.ts'

/** Which images stay and where new ones go, and all alternative texts. */
const places = {
  imagePaths: z.array(z.string().max(100)).max(100).optional(),
  imageAlts: z.array(ImageAlt).max(100).optional(),
}
export const NewProduct = ProductInput.extend(places)
export const ChangedProduct = ProductPatch.extend({ ...places, version: Version })
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
