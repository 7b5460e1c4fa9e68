import { useEffect, useLayoutEffect, useRef } from 'react'
import { type FieldTexts, fillTexts, textsOf } from '#web/forms/controls.ts'
import type { EditedImage } from '../images/edited-images.ts'

/** How what is typed into a form outlives a reload of the page. */
export type TypedProps = {
  /** What was typed before the page was loaded anew. */
  typed: Typed | null
  /** Called with what is typed at the beginning and after each change. */
  onTyped: (typed: Typed) => void
}

/** Puts what was typed before into a form, and tells what is typed now. Answers what to call when a field changes. */
export function useTyped(
  form: { current: HTMLFormElement | null },
  { typed, onTyped }: TypedProps,
  images: readonly EditedImage[] = [],
  lost = 0,
): () => void {
  const filled = useRef(false)
  const tell = () => {
    if (form.current) onTyped(typedOf(textsOf(form.current), images, lost))
  }
  // Before the form is painted: nobody sees what was there before, or types into it.
  useLayoutEffect(() => {
    if (!filled.current && typed && form.current) fillTexts(form.current, typed.texts)
    filled.current = true
  })
  useEffect(tell)
  return tell
}

/** What is typed into a form, as it can be stored: files can't. */
export type Typed = {
  texts: FieldTexts
  images: readonly EditedImage[]
  /** Pictures that were chosen and not sent: they have to be chosen again. */
  lost: number
}

/** What is typed, without the files of its pictures. */
function typedOf(texts: FieldTexts, images: readonly EditedImage[], lost: number): Typed {
  const kept = images.filter(({ file }) => file === null)
  return { texts, images: kept, lost: lost + images.length - kept.length }
}
