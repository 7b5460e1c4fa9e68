import { CategoryInput, CategoryPatch, ImageAlt } from '@befaqt/domain/catalogue'
import type { z } from 'zod'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Form } from '#server/http/multipart-form.ts'
import { coerceFormFields } from '#server/http/multipart-form.ts'
import { Version } from '#server/http/optimistic-lock.ts'
import { normalizeImages } from '#server/images/normalize-images.ts'
import type { ImageProcessor, NormalizedImage } from '#server/images/port.ts'

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
