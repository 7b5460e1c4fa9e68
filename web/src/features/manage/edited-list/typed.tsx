import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { type FieldTexts, fillTexts, textsOf } from '#web/forms/controls.ts'
import { useDirty } from '#web/forms/dirty-guard.tsx'
import { dropDraft, storeDraft, storedDraft } from '#web/forms/stored-drafts.ts'
import { CreatePanel } from '../form-parts.tsx'
import type { EditedImage } from './edited-images.ts'

const FORM = 'add'

type Props = {
  title: string
  /** The list below has nothing in it. */
  empty: boolean
  /** The form; it is begun anew when what it holds is discarded. */
  children: (props: TypedProps & { onDirty: (dirty: boolean) => void }) => ReactNode
}

type Start = { attempt: number; typed: Typed | null }

/** The folded panel with the form of something new, whose draft the page asks about, and keeps over a reload. */
export function AddForm({ title, empty, children }: Props) {
  const [{ attempt, typed }, begin] = useState<Start>({ attempt: 1, typed: null })
  const isDirty = useRef(false)
  const { pathname } = useLocation()
  const name = useRef(`${pathname} ${FORM}`)
  const onDirty = (dirty: boolean) => {
    isDirty.current = dirty
    setDirty(dirty)
    if (!dirty) dropDraft(name.current)
  }
  const { setDirty } = useDirty(FORM, () => {
    onDirty(false)
    begin((now) => ({ attempt: now.attempt + 1, typed: null }))
  })
  useEffect(() => {
    const stored = storedDraft<Typed>(name.current)
    if (!stored) return
    isDirty.current = true
    setDirty(true)
    begin((now) => ({ attempt: now.attempt + 1, typed: stored }))
  }, [setDirty])
  const onTyped = (now: Typed) => {
    if (isDirty.current) storeDraft(name.current, now)
  }
  return (
    <CreatePanel title={title} empty={empty} isTyped={typed !== null}>
      <div key={attempt}>{children({ onDirty, typed, onTyped })}</div>
    </CreatePanel>
  )
}

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
