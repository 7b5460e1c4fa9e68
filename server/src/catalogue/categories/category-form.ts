import { CategoryInput, CategoryPatch, ImageAlt } from '@befaqt/domain/catalogue'
import type { z } from 'zod'
import { coerceFormFields } from '#server/http/coerce-form-fields.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Form } from '#server/http/multipart-form.ts'
import { Version } from '#server/http/optimistic-lock.ts'
import type { KeptPicture, Pictures } from '#server/images/port.ts'
import { takePictures } from '#server/images/take-pictures.ts'

export const NewCategory = CategoryInput.extend({ imageAlt: ImageAlt.default('') })
export const ChangedCategory = CategoryPatch.extend({ imageAlt: ImageAlt.optional(), version: Version })
export type NewCategory = z.infer<typeof NewCategory>
export type ChangedCategory = z.infer<typeof ChangedCategory>

const PICTURE = 'catImage'

/** A new category and its picture. @throws ShopError `input.invalid`: the picture is required. Source: spec §5 */
export async function newCategory(
  pictures: Pictures,
  form: Form,
): Promise<{ input: NewCategory; picture: KeptPicture }> {
  const missing = { path: PICTURE, message: 'an image is required' }
  const input = parse(NewCategory, fieldsOf(form), form.files.length === 0 ? [missing] : [])
  const picture = await pictureOf(pictures, form)
  if (picture === undefined) throw fieldError(PICTURE, missing.message)
  return { input, picture }
}

/** What is to change; a picture takes the place of the one before. */
export async function changedCategory(
  pictures: Pictures,
  form: Form,
): Promise<{ patch: ChangedCategory; picture?: KeptPicture }> {
  const patch = parse(ChangedCategory, fieldsOf(form))
  const picture = await pictureOf(pictures, form)
  return picture === undefined ? { patch } : { patch, picture }
}

const fieldsOf = (form: Form): Record<string, unknown> =>
  coerceFormFields(form, { numbers: ['version'], booleans: [] })

async function pictureOf(pictures: Pictures, { files }: Form): Promise<KeptPicture | undefined> {
  const stray = files.find(({ field }) => field !== PICTURE)
  if (stray !== undefined) throw fieldError(stray.field, 'no file is taken under this name')
  if (files.length > 1) throw fieldError(PICTURE, 'only one image is taken')
  return (await takePictures(pictures, PICTURE, files))[0]
}
