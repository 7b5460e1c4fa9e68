import { type ReactNode, useDeferredValue } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useHydrated } from './hydration.tsx'

/**
 * The part of a page below its head. On a page that a click drew it comes right after the frame with the head: to draw all
 * of a box takes longer than to fetch it. At once on a page that the server sent, for whoever goes back, to the height at
 * which they were, and for whoever goes to a part of the page.
 */
export function AfterHead({ children }: { children: ReactNode }) {
  const isDrawnHere = useHydrated()
  const { hash } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const isTime = useDeferredValue(true, !isDrawnHere || isBack || hash !== '')
  return isTime ? children : <div className="min-h-dvh" />
}
