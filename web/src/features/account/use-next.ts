import { useLocation, useSearchParams } from 'react-router'
import { useHydrated } from '#web/components/hydration.tsx'
import { safeRedirectPath, signInPath } from './safe-redirect.ts'

/** The page that the visitor came from and goes back to once logged in; '/' where none was named. */
export function useNext(): string {
  const [search] = useSearchParams()
  return safeRedirectPath(search.get('next'))
}

/**
 * The sign-in that comes back to this page. The query joins in once the script runs: of pages that are kept for
 * everybody, the server has one for several queries. Pages of managers are made for each visitor.
 */
export function useSignInPath(): string {
  const { pathname, search } = useLocation()
  const hydrated = useHydrated()
  return signInPath(pathname, hydrated || /^\/manage(?:\/|$)/.test(pathname) ? search : '')
}
