import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { fillTexts, textsOf } from './controls.ts'
import { useDirty } from './dirty-guard.tsx'
import { dropDraft, storeDraft, storedDraft } from './stored-drafts.ts'

type Props = {
  /** The form's name on its page. */
  name: string
  /** Identifies what the form is about, where that is more than one thing. */
  about?: string | number
  form: { formProps: { ref: { current: HTMLFormElement | null } }; reset: () => void }
  /** Empties the form; without it, it is reset. */
  discard?: () => void
}

/** The dirty state of a form of fields, whose text the tab keeps over a reload until it is saved or discarded. */
export function useKeptForm({ name, about = '', form, discard = form.reset }: Props) {
  const { ref } = form.formProps
  const { pathname } = useLocation()
  const key = `${pathname} ${name} ${about}`
  const { setDirty, confirm } = useDirty(name, () => {
    dropDraft(key)
    discard()
  })
  const filled = useRef(false)
  // Before a form that was just opened is painted: nobody sees it empty, or types into it.
  useLayoutEffect(() => {
    if (filled.current || !ref.current) return
    filled.current = true
    const texts = storedDraft<ReturnType<typeof textsOf>>(key)
    if (!texts) return
    fillTexts(ref.current, texts)
    setDirty(true)
    const panel = ref.current.closest('details')
    if (panel) panel.open = true
  })
  return {
    confirm,
    /** What to do when a field changes. */
    onChange: () => {
      setDirty(true)
      if (ref.current) storeDraft(key, textsOf(ref.current))
    },
    /** What to do when the form is saved. */
    saved: () => {
      setDirty(false)
      dropDraft(key)
    },
  }
}
