import type { FieldTexts } from '#web/forms/controls.ts'
import type { EditedImage } from '../edited-images.ts'

/** What is typed into a form, as it can be stored: files can't. */
export type Typed = {
  texts: FieldTexts
  images: readonly EditedImage[]
  /** Pictures that were chosen and not sent: they have to be chosen again. */
  lost: number
}

/** What is typed, without the files of its pictures. */
export function typedOf(texts: FieldTexts, images: readonly EditedImage[], lost: number): Typed {
  const kept = images.filter(({ file }) => file === null)
  return { texts, images: kept, lost: lost + images.length - kept.length }
}
