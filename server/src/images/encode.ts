import { fileTypeFromFile } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import type { CopyFormat, KeptPicture } from './port.ts'

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

/** The picture, or why it is refused, in words. */
export async function takePicture(path: string): Promise<KeptPicture | string> {
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
    const { data, info } = await small.webp({ quality: QUALITY }).toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    return reason.includes('pixel limit') ? TOO_MANY_PIXELS : 'is damaged or cannot be read'
  }
}

const TOO_MANY_PIXELS = 'has more than 50 megapixels'

/** AVIF effort 2: 4 takes five times as long for 3 % fewer bytes (docs/architecture.md). */
const encoded = (image: Sharp, format: CopyFormat): Sharp =>
  format === 'avif' ? image.avif({ quality: 55, effort: 2 }) : image.webp({ quality: 78 })

/** A copy of a picture of ours, `width` px wide. */
export const narrowPicture = (bytes: Uint8Array, width: number, format: CopyFormat): Promise<Uint8Array> =>
  encoded(sharp(bytes, { limitInputPixels: MOST_PIXELS }).resize({ width }), format).toBuffer()
