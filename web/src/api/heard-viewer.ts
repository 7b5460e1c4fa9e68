import type { Viewer } from '@befaqt/domain/api/site-api'

/**
 * What was heard of who is logged in since the page's own data was read: a session ends, or begins, in another tab or
 * by itself. Kept apart from that data, because to read the page again would take what is typed on it.
 */
type Heard = { viewer: Viewer } | null

let heard: Heard = null
const listeners = new Set<() => void>()

/** Who is logged in is another one; or somebody logged out by hand, who leaves nothing behind on this screen. */
type Told = 'changed' | 'left'

/** On which the tabs of this browser tell each other; there are browsers without. */
const open = (): BroadcastChannel | undefined =>
  typeof BroadcastChannel === 'function' ? new BroadcastChannel('befaqt-viewer') : undefined

/** Where this tab hears. It tells there, too: on another channel of the same name it would hear itself. */
let ears: BroadcastChannel | undefined

/** Tells the other tabs: they ask the API themselves. */
export function tellOtherTabs(told: Told): void {
  const tabs = ears ?? open()
  tabs?.postMessage(told)
  if (tabs !== ears) tabs?.close()
}

/** Calls `listener` when another tab has told. Returns what stops it. */
export function hearOtherTabs(listener: (told: Told) => void): () => void {
  const tabs = open()
  ears = tabs
  tabs?.addEventListener('message', ({ data }) => listener(data))
  return () => {
    if (ears === tabs) ears = undefined
    tabs?.close()
  }
}

/**
 * Stores what the API last said of the viewer; null: the page's own data are the newest. Only in the browser, where
 * there is one visitor.
 */
export function hearViewer(news: Heard): void {
  if (typeof window === 'undefined' || news === heard) return
  heard = news
  for (const listener of listeners) listener()
}

export const getHeardViewer = (): Heard => heard

export function watchHeardViewer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
