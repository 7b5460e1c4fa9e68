import { useSyncExternalStore } from 'react'

/** The pages, by path. These few need no router. */
export const paths = {
  home: '/field',
  catch: '/field/catch',
  handover: '/field/handover',
  reading: '/field/reading',
  boxes: '/field/boxes',
  join: '/field/join/',
  phone: '/field/phone/',
} as const

const MOVED = 'field-moved'

/** Goes to a page of the phone; the browser's way back works. */
export function go(path: string): void {
  history.pushState(null, '', path)
  window.dispatchEvent(new Event(MOVED))
  window.scrollTo(0, 0)
}

/** Goes home, where it is said that something of this box was kept. */
export const goHomeSaved = (box: string): void => go(`${paths.home}?saved=${encodeURIComponent(box)}`)

function watch(listener: () => void): () => void {
  window.addEventListener(MOVED, listener)
  window.addEventListener('popstate', listener)
  return () => {
    window.removeEventListener(MOVED, listener)
    window.removeEventListener('popstate', listener)
  }
}

/** The path with its query, as it is now. */
export const useRoute = (): string =>
  useSyncExternalStore(watch, () => window.location.pathname + window.location.search)
