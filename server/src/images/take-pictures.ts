import { type FieldError, ShopError } from '@befaqt/domain/errors'
import type { UploadedFile } from '#server/http/multipart-form.ts'
import type { KeptPicture, Pictures } from './port.ts'

/**
 * Checks pictures by their content and makes them ours. All or none: every bad one is named.
 * @param field how the pictures are called in refusals
 * @throws ShopError `input.invalid` with a field error for every file that is no picture; `unavailable`
 */
export async function takePictures(
  pictures: Pictures,
  field: string,
  files: readonly UploadedFile[],
): Promise<KeptPicture[]> {
  const taken = await Promise.all(files.map(({ path }) => pictures.take(path)))
  const refused = taken.flatMap((picture, i): FieldError[] =>
    typeof picture === 'string' ? [{ path: `${field}[${i}]`, message: `${files[i]?.name}: ${picture}` }] : [],
  )
  if (refused.length > 0)
    throw new ShopError('input.invalid', refused.map(({ message }) => message).join('; '), {
      fields: refused,
    })
  return taken.filter((picture) => typeof picture !== 'string')
}
