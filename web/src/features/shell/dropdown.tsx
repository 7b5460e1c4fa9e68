import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { Icon } from '#web/components/icon.tsx'

type Props = {
  label: ReactNode
  children: ReactNode
  /** Accessible name where `label` is a picture. */
  name?: string
  arrow?: boolean
  className?: string
  panelClass?: string
}

/**
 * Closes the menu when the visitor follows a link in it, presses Escape, or moves the pointer or the focus elsewhere,
 * and in the frame that shows the next page: a moment later it would close what was opened there. One that was opened
 * before the script ran stays open.
 */
function useClosing() {
  const ref = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()
  const shown = useRef(key)
  useLayoutEffect(() => {
    if (shown.current === key) return
    shown.current = key
    if (ref.current) ref.current.open = false
  }, [key])
  useEffect(() => {
    const closeOutside = (event: Event) => {
      const inside = event.target instanceof Node && ref.current?.contains(event.target)
      if (ref.current?.open && !inside) ref.current.open = false
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !ref.current?.open) return
      ref.current.open = false
      ref.current.querySelector('summary')?.focus()
    }
    const closeFollowed = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a') : null
      const menu = ref.current
      if (!menu || !link || !menu.contains(link) || ctrlKey || metaKey || shiftKey) return
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
    const leave = new AbortController()
    const { signal } = leave
    for (const moved of ['pointerdown', 'focusin']) document.addEventListener(moved, closeOutside, { signal })
    document.addEventListener('keydown', closeByKey, { signal })
    document.addEventListener('click', closeFollowed, { signal })
    return () => leave.abort()
  }, [])
  return ref
}

/** A menu that opens without any script; with script it also closes by itself. */
export function Dropdown({ label, children, name, arrow = true, className = '', panelClass = '' }: Props) {
  return (
    <details ref={useClosing()} className={`group/menu relative ${className}`}>
      <summary
        aria-label={name}
        className="flex min-h-11 items-center gap-1 rounded-md px-3 font-semibold hover:bg-on-night/10"
      >
        {label}
        {arrow && <Icon name="down" className="size-4 transition-transform group-open/menu:rotate-180" />}
      </summary>
      <div
        className={`absolute z-40 border border-line bg-surface text-ink shadow-[0_12px_32px_rgb(8_17_22/0.25)] ${panelClass}`}
      >
        {children}
      </div>
    </details>
  )
}
