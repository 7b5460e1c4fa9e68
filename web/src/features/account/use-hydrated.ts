import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False on the server and until the page's script runs; what needs script stays disabled until then. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
