import type { ImageView } from '@befaqt/domain/catalogue'
import { fileTooLarge, MAX_FILE_BYTES, MAX_IMAGES } from '@befaqt/domain/upload-limits'

/** A picture in a form: one that the shop has (`path`), or a file that is to go there. */
export type EditedImage = {
  key: string
  /** URL that it can be seen at; '' of a new file, which the browser shows from its memory. */
  src: string
  name: string
  alt: string
  path: string | null
  file: File | null
}

/** A picture that the shop has, for a form. `src`: where it is shown small. */
export const keptImage = ({ path, alt }: ImageView, src: string): EditedImage => ({
  key: path,
  src,
  name: path,
  alt,
  path,
  file: null,
})

/** Counts new files: `crypto.randomUUID` is missing where a shop is opened over plain http in a local network. */
let made = 0

const newImage = (file: File): EditedImage => ({
  key: `new ${++made}`,
  src: '',
  name: file.name,
  alt: '',
  path: null,
  file,
})

/** What telephones of Apple take unless they are told otherwise. Neither browsers nor the shop can read it. */
const isHeic = ({ name, type }: File): boolean => /\.hei[cf]$/i.test(name) || /^image\/hei[cf]/.test(type)

/** Why a file can't be a picture here, as far as a browser can tell; the shop looks into it. */
export function errorOfFile(file: File): string | null {
  const { name, type, size } = file
  if (isHeic(file))
    return `${name} is HEIC, which browsers can’t read: send it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible)`
  if (!type.startsWith('image/') || type === 'image/svg+xml')
    return `${name} is not a picture that can be uploaded`
  if (size > MAX_FILE_BYTES) return fileTooLarge(name)
  return size === 0 ? `${name} is empty` : null
}

/** The pictures with new files after them (in place of them, unless `many`), and what was refused, by name. */
export function addFiles(
  images: readonly EditedImage[],
  files: readonly File[],
  many: boolean,
): { images: readonly EditedImage[]; refused: string[] } {
  const refused = files.flatMap((file) => errorOfFile(file) ?? [])
  const good = files.filter((file) => errorOfFile(file) === null)
  if (good.length === 0) return { images, refused }
  if (!many) return { images: good.slice(0, 1).map(newImage), refused }
  const room = good.slice(0, MAX_IMAGES - images.length)
  const over = good.slice(room.length).map(({ name }) => `${name} is one too many: ${MAX_IMAGES} at most`)
  return { images: [...images, ...room.map(newImage)], refused: [...refused, ...over] }
}

/** The list with one picture moved to place `to`, counted from 0. */
export function moved<Item extends { key: string }>(
  images: readonly Item[],
  key: string,
  to: number,
): Item[] {
  const one = images.find((image) => image.key === key)
  const others = images.filter((image) => image.key !== key)
  return one ? others.toSpliced(Math.max(0, to), 0, one) : others
}

/**
 * Puts pictures, their order and their words into the form of a product. Without any, an empty list goes, for the shop
 * to refuse: no list at all would leave the old ones. Source: spec §7.
 */
export function appendImages(form: FormData, images: readonly EditedImage[]): void {
  if (images.length === 0) form.append('imagePaths[]', '')
  let uploads = 0
  for (const { file, path, alt } of images) {
    if (file) form.append('productImages', file)
    form.append('imagePaths[]', path ?? `new:${uploads++}`)
    form.append('imageAlts[]', alt)
  }
}

/** Pictures of a form in a few words; null for the value of any other field. */
export function imagesText(field: string, value: unknown): string | null {
  if (field !== 'images' || !Array.isArray(value)) return null
  const names = value.map(({ name, alt }: Partial<EditedImage>) => (alt ? `${name} (${alt})` : String(name)))
  return names.length === 0 ? 'none' : names.join(', ')
}
