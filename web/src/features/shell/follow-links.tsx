import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { followedPath } from './followed-path.ts'

/**
 * Follows plain links without loading the page anew: those in pages made from Markdown, and those of cards, where
 * a `Link` each would take a quarter of the time that the server needs for a page of products.
 */
export function FollowLinks() {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      const path = link?.href ? followedPath(event, link, window.location.href) : null
      if (path === null) return
      event.preventDefault()
      void navigate(path)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [navigate])
  return null
}
