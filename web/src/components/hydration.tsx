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
