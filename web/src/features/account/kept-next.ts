import { useNavigate, useRevalidator } from 'react-router'
import { tellOtherTabs } from '#web/api/heard-viewer.ts'
import { useNext } from './use-next.ts'

const KEY = 'befaqt.next'
/** As long as an activation link lives. */
const LIFE_MS = 24 * 60 * 60 * 1_000

/** Remembers where to go after the email that comes between signing up, or a new password, and signing in. */
export function keepNext(next: string): void {
  try {
    if (next === '/') window.localStorage.removeItem(KEY)
    else window.localStorage.setItem(KEY, JSON.stringify({ next, until: Date.now() + LIFE_MS }))
  } catch {
    // A browser that keeps nothing goes on to the home page.
  }
}

/** What was kept, null when nothing was, or too long ago. Not to be trusted: pass it to `safeRedirectPath`. */
export function keptNext(): string | null {
  try {
    const { next, until } = JSON.parse(window.localStorage.getItem(KEY) ?? '{}')
    return typeof next === 'string' && until > Date.now() ? next : null
  } catch {
    return null
  }
}

/** Goes on after signing in, with the navigation bar knowing who is there. The sign-in is no page to go back to. */
export function useSignInRedirect(): () => Promise<void> {
  const next = useNext()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  return async () => {
    keepNext('/')
    await revalidate()
    tellOtherTabs('changed')
    await navigate(next, { replace: true })
  }
}
