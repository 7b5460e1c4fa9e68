const OURS = 'http://shop.invalid'
const MAX_LENGTH = 2_000

/** Pages that lead to being logged in; to come back to one of them would be a circle. */
function isWayIn(pathname: string): boolean {
  try {
    const path = decodeURIComponent(pathname).toLowerCase()
    return /^\/user(?:\/|$)/.test(path) && !/^\/user\/(?:profile$|order(?:\/|$))/.test(path)
  } catch {
    return true
  }
}

/**
 * Where to after signing in: a page of ours that was asked for, else the home page. It is read as browsers read
 * addresses, so that none that leads elsewhere passes. Source: spec §4.
 */
export function safeRedirectPath(next: string | null): string {
  if (next === null || next.length > MAX_LENGTH || !/^\/(?![/\\])[^\\\s]*$/.test(next)) return '/'
  if (!URL.canParse(next, OURS)) return '/'
  const { origin, pathname, search, hash } = new URL(next, OURS)
  if (origin !== OURS || pathname.startsWith('//') || isWayIn(pathname)) return '/'
  return pathname + search + hash
}

/** An account page that leads on to `next` in the end. */
export const withNext = (path: string, next: string): string =>
  next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`

/** The sign-in that comes back to this page; one of the pages on the way to it hands on what it was given. */
export function signInPath(pathname: string, search: string): string {
  const next = isWayIn(pathname) ? new URLSearchParams(search).get('next') : pathname + search
  return withNext('/user/signin', safeRedirectPath(next))
}
