import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useDirty } from '#web/forms/dirty-guard.tsx'
import { dropDraft, storeDraft, storedDraft } from '#web/forms/stored-drafts.ts'
import { CreatePanel } from './create-panel.tsx'
import type { Typed, TypedProps } from './use-typed.ts'

const FORM = 'add'

type Props = {
  title: string
  /** The list below has nothing in it. */
  empty: boolean
  /** The form; it is begun anew when what it holds is discarded. */
  children: (props: TypedProps & { onDirty: (dirty: boolean) => void }) => ReactNode
}

type Start = { attempt: number; typed: Typed | null }

/** The folded panel with the form of something new, whose draft the page asks about, and keeps over a reload. */
export function AddForm({ title, empty, children }: Props) {
  const [{ attempt, typed }, begin] = useState<Start>({ attempt: 1, typed: null })
  const isDirty = useRef(false)
  const { pathname } = useLocation()
  const name = useRef(`${pathname} ${FORM}`)
  const onDirty = (dirty: boolean) => {
    isDirty.current = dirty
    setDirty(dirty)
    if (!dirty) dropDraft(name.current)
  }
  const { setDirty } = useDirty(FORM, () => {
    onDirty(false)
    begin((now) => ({ attempt: now.attempt + 1, typed: null }))
  })
  useEffect(() => {
    const stored = storedDraft<Typed>(name.current)
    if (!stored) return
    isDirty.current = true
    setDirty(true)
    begin((now) => ({ attempt: now.attempt + 1, typed: stored }))
  }, [setDirty])
  const onTyped = (now: Typed) => {
    if (isDirty.current) storeDraft(name.current, now)
  }
  return (
    <CreatePanel title={title} empty={empty} isTyped={typed !== null}>
      <div key={attempt}>{children({ onDirty, typed, onTyped })}</div>
    </CreatePanel>
  )
}
