import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useViewer } from '#web/root-data.ts'
import { isFor, screenAt } from './screens.ts'

type Props = {
  /** Path of a screen, without a query. */
  to: string
  className?: string
  children: ReactNode
}

/** A link to a screen, or its words alone for who may not open it. */
export function ScreenLink({ to, className = 'link', children }: Props) {
  const viewer = useViewer()
  const screen = screenAt(to, '')
  if (!screen || !isFor(viewer, screen)) return <>{children}</>
  return (
    <Link to={to} className={className}>
      {children}
    </Link>
  )
}
