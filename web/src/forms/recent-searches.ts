const KEY = 'befaqt-searches'
const MAX = 5

/** What was searched for on this device, the newest first. Without storage, or with another's text in it, nothing. */
export function recentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, MAX) : []
  } catch {
    return []
  }
}

const keep = (searches: readonly string[]): void => {
  try {
    if (searches.length === 0) window.localStorage.removeItem(KEY)
    else window.localStorage.setItem(KEY, JSON.stringify(searches))
  } catch {
    // A full or forbidden storage: the next search is typed again.
  }
}

/** Remembers a search; the same one again, in whatever capitals, comes first instead of twice. */
export function rememberSearch(typed: string): void {
  const text = typed.trim()
  if (text === '') return
  const others = recentSearches().filter((one) => one.toLowerCase() !== text.toLowerCase())
  keep([text, ...others].slice(0, MAX))
}

export const forgetSearches = (): void => keep([])
