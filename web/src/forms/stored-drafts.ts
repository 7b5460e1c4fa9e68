/** Of drafts in the tab's storage. Another number leaves what an earlier version of this page has stored alone. */
const PREFIX = 'draft 1 '

/** The tab's storage; null where the browser refuses it: drafts end with the page then. */
function storage(): Storage | null {
  try {
    return window.sessionStorage
  } catch {
    return null
  }
}

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

/** What the names of stored drafts that begin like this go on with. */
export function storedNames(beginning: string): string[] {
  const wanted = PREFIX + beginning
  return Object.keys(storage() ?? {}).flatMap((key) =>
    key.startsWith(wanted) ? key.slice(wanted.length) : [],
  )
}

/** Forgets a draft: it was saved, or left on purpose. */
export function dropDraft(name: string): void {
  storage()?.removeItem(PREFIX + name)
}

/** Forgets all drafts: whoever sits here next must not find them. */
export function dropAllDrafts(): void {
  for (const name of storedNames('')) dropDraft(name)
}
