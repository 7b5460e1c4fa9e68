/** Of drafts in the tab's storage. Another number leaves what an earlier version of this page has stored alone. */
export const PREFIX = 'draft 1 '

/** The tab's storage; null where the browser refuses it: drafts end with the page then. */
export function storage(): Storage | null {
  try {
    return window.sessionStorage
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

/** Forgets all drafts: whoever sits here next must not find them. */
export function dropAllDrafts(): void {
  for (const name of storedNames('')) storage()?.removeItem(PREFIX + name)
}
