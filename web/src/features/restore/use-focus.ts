import { useEffect, useRef } from 'react'
import type { RestoreAt } from './use-restore.ts'

/** Focus that went with what was pressed goes to what took its place. */
export function useFocus<Part extends HTMLElement>({ wasUsed }: RestoreAt) {
  const ref = useRef<Part>(null)
  useEffect(() => {
    if (wasUsed.current && document.activeElement === document.body) ref.current?.focus()
  }, [wasUsed])
  return ref
}
