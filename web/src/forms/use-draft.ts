import { useLayoutEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useDirty } from './dirty-guard.tsx'
import { dropDraft, storeDraft, storedDraft } from './stored-drafts.ts'

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
