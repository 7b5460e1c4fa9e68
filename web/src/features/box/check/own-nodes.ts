/** Where a browser keeps the ledger servers that its visitor named. */
const KEY = 'befaqt.ledger-servers'
const MAX_NODES = 2

/** Can a node be asked at it? */
export const isNodeAddress = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** The ledger servers that the visitor named and that answered, at most two; none where nothing is kept. */
export function keptNodes(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isNodeAddress).slice(0, MAX_NODES) : []
  } catch {
    return []
  }
}

/** Keeps them for the next check of any box; none forgets them. A browser without storage keeps nothing. */
export function keepNodes(nodes: readonly string[]): void {
  try {
    if (nodes.length === 0) window.localStorage.removeItem(KEY)
    else window.localStorage.setItem(KEY, JSON.stringify(nodes.slice(0, MAX_NODES)))
  } catch {
    // Storage is full or forbidden.
  }
}
