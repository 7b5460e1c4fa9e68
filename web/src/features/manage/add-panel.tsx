import { type ReactNode, useState } from 'react'
import { Icon } from '#web/components/icon.tsx'

type Props = { title: string; open: boolean; children: ReactNode }

/** The form for something new, folded away until it is wanted. */
export function AddPanel({ title, open, children }: Props) {
  const [shown, setShown] = useState(open)
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
