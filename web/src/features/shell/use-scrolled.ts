import { type RefObject, useEffect, useState } from 'react'

/** Whether the page is scrolled past `mark`, an element standing where the limit is. */
export function useScrolled(mark: RefObject<HTMLElement | null>): boolean {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    if (!mark.current) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) setScrolled(!entry.isIntersecting && entry.boundingClientRect.top < 0)
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [mark])
  return scrolled
}
