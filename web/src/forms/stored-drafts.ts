import { PREFIX, storage } from './draft-storage.ts'

/** Keeps a draft for as long as the tab is open, also over a reload. */
export function storeDraft(name: string, draft: unknown): void {
  try {
    storage()?.setItem(PREFIX + name, JSON.stringify(draft))
  } catch {
    // A full storage keeps the draft only as long as the page stands.
  }
}

/** A draft that was stored, and not dropped since. Not checked: only what this page has stored is there. */
export function storedDraft<Draft>(name: string): Draft | null {
  try {
    const draft: Draft | null = JSON.parse(storage()?.getItem(PREFIX + name) ?? 'null')
    return draft
  } catch {
    return null
  }
}

/** Forgets a draft: it was saved, or left on purpose. */
export function dropDraft(name: string): void {
  storage()?.removeItem(PREFIX + name)
}
