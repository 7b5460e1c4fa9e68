import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { preloadScreen } from '#web/route-screens.ts'
import { followedPath } from './followed-path.ts'

/** What is done to a link shortly before it is followed: the press on a phone, resting on it or reaching it elsewhere. */
const APPROACHES = ['pointerdown', 'pointerover', 'focusin']

/** A press as a plain click, which is what it will be unless a key is held. */
const asClick = (event: Event) => ({
  button: 0,
  metaKey: false,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  defaultPrevented: event.defaultPrevented,
})

/** Fetches the screen of a page of the shop that the visitor is about to follow a link to. */
function approach(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const path = link?.href ? followedPath(asClick(event), link, window.location.href) : null
  if (path !== null) preloadScreen(new URL(path, window.location.href).pathname)
}

/**
 * Follows plain links without loading the page anew: those in pages made from Markdown, those of cards, and those around
 * every page, where a `Link` each would take a third of the time that the server needs for a page of products.
 */
export function FollowLinks() {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const path = link?.href ? followedPath(event, link, window.location.href) : null
      if (path === null) return
      event.preventDefault()
      const { pathname, search, hash } = window.location
      void navigate(path, { replace: path === pathname + search + hash })
    }
    const leave = new AbortController()
    const { signal } = leave
    document.addEventListener('click', follow, { signal })
    for (const type of APPROACHES) document.addEventListener(type, approach, { signal, passive: true })
    return () => leave.abort()
  }, [navigate])
  return null
}
