import type { Viewer } from '@befaqt/domain/api/site-api'

/**
 * What was heard of who is logged in since the page's own data was read: a session ends, or begins, in another tab or
 * by itself. Kept apart from that data, because to read the page again would take what is typed on it.
 */
type Heard = { viewer: Viewer } | null

let heard: Heard = null
const listeners = new Set<() => void>()

/** Other tabs of this browser hear who logged in or out here. */
const channel = (): BroadcastChannel | undefined =>
  typeof BroadcastChannel === 'function' ? new BroadcastChannel('befaqt-viewer') : undefined

/** Who is logged in is another one; or somebody logged out by hand, who leaves nothing behind on this screen. */
type Told = 'changed' | 'left'

/** Tells the other tabs: they ask the API themselves. */
export function tellOtherTabs(told: Told): void {
  const tabs = channel()
  tabs?.postMessage(told)
  tabs?.close()
}

/** Calls `listener` when another tab has told. Returns what stops it. */
export function hearOtherTabs(listener: (told: Told) => void): () => void {
  const tabs = channel()
  tabs?.addEventListener('message', ({ data }) => listener(data))
  return () => tabs?.close()
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
