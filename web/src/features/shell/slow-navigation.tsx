import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'

const PageSkeleton = lazy(() => import('./page-skeleton.tsx'))

const SLOW_MS = 400

/** Path of a page that lets us wait longer than is pleasant; null otherwise. */
function useSlowTarget(): string | null {
  const { pathname } = useLocation()
  const next = useNavigation().location?.pathname ?? null
  const target = next === pathname ? null : next
  const [slow, setSlow] = useState<string | null>(null)
  useEffect(() => {
    setSlow(null)
    if (!target) return
    const timer = setTimeout(() => setSlow(target), SLOW_MS)
    return () => clearTimeout(timer)
  }, [target])
  return target && slow === target ? target : null
}

/** The page, or the next one's outline when that takes long to come. */
export function SlowNavigation({ children }: { children: ReactNode }) {
  const target = useSlowTarget()
  if (!target) return children
  return (
    <Suspense fallback={children}>
      <PageSkeleton path={target} />
    </Suspense>
  )
}
