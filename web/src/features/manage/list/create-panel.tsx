import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Icon } from '#web/components/icon.tsx'
import { isNarrowed } from './list-query.ts'

type Props = {
  title: string
  /** The list below has nothing in it. */
  empty: boolean
  /** The form holds what was typed before the page was loaded anew. */
  isTyped?: boolean
  children: ReactNode
}

/** The form for something new, folded away until it is wanted; open where there is nothing yet. */
export function CreatePanel({ title, empty, isTyped = false, children }: Props) {
  const [params] = useSearchParams()
  const [shown, setShown] = useState(empty && !isNarrowed(params))
  useEffect(() => {
    if (isTyped) setShown(true)
  }, [isTyped])
  return (
    <details
      open={shown}
      onToggle={(event) => setShown(event.currentTarget.open)}
      className="group/add mb-8 rounded-lg border border-line bg-surface"
    >
      <summary className="flex min-h-14 items-center gap-3 rounded-lg px-4 hover:text-teal sm:px-6">
        <Icon name="plus" className="size-5 transition-transform group-open/add:rotate-45" />
        <h2 className="text-xl">{title}</h2>
      </summary>
      <div className="px-4 pt-2 pb-6 sm:px-6">{children}</div>
    </details>
  )
}
