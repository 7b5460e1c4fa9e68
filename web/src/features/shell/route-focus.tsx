import { useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/**
 * After a navigation: moves the focus to the new page and says its title, as a full page load would. In the frame that
 * shows the page: a moment later it would take the focus from what the visitor has opened there.
 */
export function RouteFocus() {
  const { pathname, hash } = useLocation()
  const shown = useRef(pathname)
  const [title, setTitle] = useState('')
  useLayoutEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (!hash) document.getElementById('content')?.focus({ preventScroll: true })
    setTitle(document.title)
  }, [pathname, hash])
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  )
}
