import { type RefObject, useEffect, useState } from 'react'

/** How far outside the window something may be and still be near. CSS pixels. */
const NEAR = '300px'

/** Whether the element has been in the window, or near it, since it is there. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setNear(true)
      },
      { rootMargin: NEAR },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return near
}
