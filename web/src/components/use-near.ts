import { type RefObject, useEffect, useState } from 'react'

/** How far outside the window a part may be and still be near. CSS pixels. */
const NEAR = '300px'

/** Whether a part of the page has been in the window, or near it. */
export function useNear(part: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!part.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        // All that happened since the last call: out of the window first, where the page was busy while one scrolled.
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: NEAR },
    )
    observer.observe(part.current)
    return () => observer.disconnect()
  }, [part])
  return near
}
