/** Where a browser keeps the ledger servers that its visitor named. */
const NODES_KEY = 'befaqt.ledger-servers'
const MAX_NODES = 2

/** Can a node be asked at it? */
export const isNodeAddress = (value: unknown): value is string =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

/** The ledger servers that the visitor named and that answered, at most two; none where nothing is kept. */
export function keptNodes(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(NODES_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isNodeAddress).slice(0, MAX_NODES) : []
  } catch {
    return []
  }
}

/** Keeps them for the next check of any box; none forgets them. A browser without storage keeps nothing. */
export function keepNodes(nodes: readonly string[]): void {
  try {
    if (nodes.length === 0) window.localStorage.removeItem(NODES_KEY)
    else window.localStorage.setItem(NODES_KEY, JSON.stringify(nodes.slice(0, MAX_NODES)))
  } catch {
    // Storage is full or forbidden.
  }
}

/** Where a browser keeps the text of its visitor's policy: whose signatures below a log count. */
const POLICY_KEY = 'befaqt.policy'
/** Longest text of a policy that is kept, in UTF-16 units: some ten witnesses with keys of both kinds. */
export const MAX_KEPT_POLICY = 32_768

/** The policy that the visitor gave; null where none is kept. */
export function keptPolicy(): string | null {
  try {
    const kept = window.localStorage.getItem(POLICY_KEY)
    return kept !== null && kept.length <= MAX_KEPT_POLICY ? kept : null
  } catch {
    return null
  }
}

/** Keeps it for the checks of all boxes; null forgets it. A browser without storage keeps nothing. */
export function keepPolicy(policy: string | null): void {
  try {
    if (policy === null) window.localStorage.removeItem(POLICY_KEY)
    else window.localStorage.setItem(POLICY_KEY, policy)
  } catch {
    // Storage is full or forbidden.
  }
}

/**
 * A state of a box that this browser has verified: number of records, their head, the anchor that proved it, and when.
 */
export type RememberedState = { count: number; head: string; anchor: number; at: string }

const BOXES_KEY = 'befaqt.verified-boxes'
/** Boxes that are remembered, the newest: some 130 bytes each. */
const MAX_BOXES = 50

type Entry = [boxID: string, count: number, head: string, anchor: number, at: string]

/** The newest states that this browser has verified, by box. */
export type RememberedBoxes = ReadonlyMap<string, RememberedState>

/** What this browser has verified; nothing where it can't remember. */
export const rememberedBoxes = (): RememberedBoxes =>
  new Map(readEntries().map(([id, count, head, anchor, at]) => [id, { count, head, anchor, at }]))

/** Remembers a state in the place of an older one of the box. A browser without storage remembers nothing. */
export function rememberState(boxID: string, { count, head, anchor, at }: RememberedState): void {
  writeEntries([...others(boxID), [boxID, count, head, anchor, at]])
}

/** Forgets what was verified of a box. */
export const forgetState = (boxID: string): void => writeEntries(others(boxID))

const others = (boxID: string): Entry[] => readEntries().filter(([id]) => id !== boxID)

function readEntries(): Entry[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(BOXES_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value)) return false
  const [id, count, head, anchor, at]: unknown[] = value
  const isHead = typeof head === 'string' && /^[0-9a-f]{64}$/.test(head)
  const isState = Number.isSafeInteger(count) && Number.isSafeInteger(anchor) && isHead
  return typeof id === 'string' && isState && typeof at === 'string' && !Number.isNaN(Date.parse(at))
}

function writeEntries(entries: Entry[]): void {
  try {
    window.localStorage.setItem(BOXES_KEY, JSON.stringify(entries.slice(-MAX_BOXES)))
  } catch {
    // Storage is full or forbidden.
  }
}
