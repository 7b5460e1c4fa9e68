import { useEffect, useState } from 'react'
import { dropDraft, storeDraft, storedDraft } from '#web/forms/stored-drafts.ts'

/**
 * What is typed into a form, kept by the tab until it is saved: phones end pages in the background, as when the camera
 * opens, and a box number may be on the box already.
 * @param name tells apart who types, and what
 */
export function useKept<Typed extends object>(name: string, initial: () => Typed) {
  const [typed, setTyped] = useState(() => storedDraft<Typed>(name) ?? initial())
  useEffect(() => storeDraft(name, typed), [name, typed])
  return {
    typed,
    change: (news: Partial<Typed>) => setTyped((before) => ({ ...before, ...news })),
    /** What to do when it is on the disk. */
    saved: () => dropDraft(name),
  }
}
