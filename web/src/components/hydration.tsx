import { type ReactNode, Suspense, useSyncExternalStore } from 'react'

/**
 * A part of the page that is hydrated after the rest, in a step of its own. Until then it shows what the server
 * rendered; a click on it makes it the next.
 */
export const HydrationBoundary = ({ children }: { children: ReactNode }) => <Suspense>{children}</Suspense>

const never = () => () => undefined

/** False on the server and until the page's script runs; what needs script stays disabled until then. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/*
 * Whether the page that this browser got was another than its data make: React found it while it hydrated it, and drew
 * that part anew.
 */

/** The path of the page that differed. */
let differing: string | undefined
const listeners = new Set<() => void>()

/** For React: errors that it recovered from. 418: the text or the elements of the served page are other ones. */
export function onRecoverableError(error: unknown): void {
  reportError(error)
  const text = error instanceof Error ? error.message : String(error)
  if (!/#418\b|hydrat/i.test(text)) return
  differing = window.location.pathname
  for (const listener of listeners) listener()
}

export const hadMismatch = (): boolean => differing === window.location.pathname

export function onMismatch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
