import { type FieldError, ShopError } from '@befaqt/domain/errors'
import { fileTypeFromFile } from 'file-type'
import sharp from 'sharp'
import type { UploadedFile } from '#server/http/read-form.ts'
import { fewAtOnce } from './few-at-once.ts'

/** A picture as we keep it: WebP made by us, upright, without what the sender's file held besides. */
export type TakenPicture = { bytes: Buffer; name: string }

/** Kinds that are taken, by their content, and what the decoder calls them. */
const TAKEN = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/avif', 'heif'],
])
const MOST_PIXELS = 50_000_000
/** Longest side of what is kept, in px: more than any page shows. */
const KEPT_SIDE = 2_400
const QUALITY = 86
const PATIENCE_S = 30
/** One decoded picture may take 200 MB, so two at once are all that memory is asked for, whoever uploads. */
const inTurn = fewAtOnce(2)

/**
 * Checks pictures by their content and makes them ours. All or none: every bad one is named.
 * @param field how the pictures are called in refusals
 * @throws ShopError `input.invalid` with a field error for every file that is no picture
 */
export async function takePictures(field: string, files: readonly UploadedFile[]): Promise<TakenPicture[]> {
  const taken = await Promise.all(files.map((file) => inTurn(() => takePicture(file))))
  const refused = taken.flatMap((picture, i): FieldError[] =>
    typeof picture === 'string' ? [{ path: `${field}[${i}]`, message: `${files[i]?.name}: ${picture}` }] : [],
  )
  if (refused.length > 0)
    throw new ShopError('input.invalid', refused.map(({ message }) => message).join('; '), {
      fields: refused,
    })
  return taken.filter((picture) => typeof picture !== 'string')
}

/** The picture, or why it is refused, in words. */
async function takePicture({ path, name }: UploadedFile): Promise<TakenPicture | string> {
  const format = TAKEN.get((await fileTypeFromFile(path))?.mime ?? '')
  if (format === undefined) return 'is not a JPEG, PNG, WebP or AVIF picture'
  try {
    const picture = sharp(path, { limitInputPixels: MOST_PIXELS, failOn: 'warning' })
    const found = await picture.metadata()
    if (found.format !== format) return 'is not the kind of picture that it says it is'
    if ((found.pages ?? 1) > 1) return 'is animated; please use a still picture'
    if (found.width * found.height > MOST_PIXELS) return TOO_MANY_PIXELS
    const upright = picture.autoOrient().timeout({ seconds: PATIENCE_S })
    const small = upright.resize({
      width: KEPT_SIDE,
      height: KEPT_SIDE,
      fit: 'inside',
      withoutEnlargement: true,
    })
    return { bytes: await small.webp({ quality: QUALITY }).toBuffer(), name }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return reason.includes('pixel limit') ? TOO_MANY_PIXELS : 'is damaged or cannot be read'
  }
}

const TOO_MANY_PIXELS = 'has more than 50 megapixels'
