import { useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { type FieldTexts, fillTexts, textsOf } from './controls.ts'
import { useDirty } from './dirty-guard.tsx'
import { dropDraft, storeDraft, storedDraft } from './stored-drafts.ts'

type FormRef = { current: HTMLFormElement | null }

type Props = {
  /** The form's name on its page. */
  name: string
  /** Identifies what the form is about, where that is more than one thing. */
  about?: string | number
  form: { formProps: { ref: FormRef }; reset: () => void }
  /** Empties the form; without it, it is reset. */
  discard?: () => void
}

/** Puts what the tab has kept of a form back into it, before it is painted: nobody sees it empty, or types into it. */
function useRefill(ref: FormRef, key: string, onFilled?: () => void, isNewer = false) {
  const filled = useRef(isNewer)
  useLayoutEffect(() => {
    if (filled.current || !ref.current) return
    filled.current = true
    const texts = storedDraft<FieldTexts>(key)
    if (!texts) return
    fillTexts(ref.current, texts)
    onFilled?.()
  })
}

/**
 * Keeps the text of a form, without passwords, over Back and a reload, until it was sent. Leaving it is not asked about:
 * it is there when one comes back.
 * @param shown what the page itself shows of it: newer than what the tab has kept
 */
export function useKeptTexts(name: string, { formProps: { ref } }: Props['form'], shown: object) {
  const key = `${useLocation().pathname} ${name}`
  useRefill(ref, key, undefined, Object.keys(shown).length > 0)
  return {
    onChange: () => {
      if (ref.current) storeDraft(key, textsOf(ref.current))
    },
    saved: () => dropDraft(key),
  }
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
  const onFilled = () => {
    setDirty(true)
    const panel = ref.current?.closest('details')
    if (panel) panel.open = true
  }
  useRefill(ref, key, onFilled)
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

/**
 * What is typed into a form that is more than fields of text. The page asks before it is left, and the tab keeps it over a
 * reload until it is saved or discarded.
 * @param name the form's name on its page
 * @param initial what the form begins with, and again when it is discarded
 */
export function useDraft<Draft>(name: string, initial: () => Draft) {
  const [draft, setDraft] = useState(initial)
  const key = `${useLocation().pathname} ${name}`
  const forget = () => {
    dropDraft(key)
    setDraft(initial())
  }
  const { setDirty } = useDirty(name, forget)
  // Before it is painted: nobody sees what was there before, or types into it.
  useLayoutEffect(() => {
    const stored = storedDraft<Draft>(key)
    if (stored === null) return
    setDraft(stored)
    setDirty(true)
  }, [key, setDirty])
  return {
    draft,
    change: (next: Draft) => {
      setDraft(next)
      setDirty(true)
      storeDraft(key, next)
    },
    /** What to do when the form is saved. */
    saved: () => {
      setDirty(false)
      dropDraft(key)
    },
    discard: () => {
      setDirty(false)
      forget()
    },
  }
}
