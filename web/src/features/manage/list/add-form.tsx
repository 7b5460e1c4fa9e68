import { type ReactNode, useState } from 'react'
import { useDirty } from '#web/forms/dirty-guard.tsx'
import { AddPanel } from '../add-panel.tsx'

type Props = {
  title: string
  /** The list below has nothing in it. */
  empty: boolean
  /** The form; it is begun anew when what it holds is discarded. */
  children: (onDirty: (dirty: boolean) => void) => ReactNode
}

/** The folded panel with the form of something new, whose draft the page asks about. */
export function AddForm({ title, empty, children }: Props) {
  const [attempt, setAttempt] = useState(1)
  const { setDirty } = useDirty('add', () => setAttempt((now) => now + 1))
  return (
    <AddPanel title={title} empty={empty}>
      <div key={attempt}>{children(setDirty)}</div>
    </AddPanel>
  )
}
