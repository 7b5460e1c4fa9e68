import { type FieldError, ShopError } from '@befaqt/domain/errors'
import type { UploadedFile } from '#server/http/multipart-form.ts'
import type { ImageProcessor, NormalizedImage } from './port.ts'

/**
 * Normalizes uploaded images, all or none.
 * @param field the field's name in errors
 * @throws ShopError `input.invalid` with a field error for every file that is no valid image; `unavailable`
 */
export async function normalizeImages(
  pictures: ImageProcessor,
  field: string,
  files: readonly UploadedFile[],
): Promise<NormalizedImage[]> {
  const normalized = await Promise.all(files.map(({ path }) => pictures.normalize(path)))
  const rejected = normalized.flatMap((picture, i): FieldError[] =>
    typeof picture === 'string' ? [{ path: `${field}[${i}]`, message: `${files[i]?.name}: ${picture}` }] : [],
  )
  if (rejected.length > 0)
    throw new ShopError('input.invalid', rejected.map(({ message }) => message).join('; '), {
      fields: rejected,
    })
  return normalized.filter((picture) => typeof picture !== 'string')
}
