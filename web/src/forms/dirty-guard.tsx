import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useBlocker } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'

type Discard = () => void
type Guard = {
  /** Says that the form of this name is dirty, and how to discard what it holds; null: it is not dirty. */
  set: (form: string, discard: Discard | null) => void
  /** Goes on at once, or, where the form of this name is dirty, after somebody agreed to lose what it holds. */
  confirm: (form: string, proceed: () => void) => void
}

const GuardContext = createContext<Guard>({ set: () => undefined, confirm: (_, proceed) => proceed() })

/** The guard of the page's dirty forms. */
export const useDirtyGuard = (): Guard => useContext(GuardContext)

/**
 * The dirty state of one form of the page; a form that is gone is not dirty.
 * @param discard empties the form
 */
export function useDirty(form: string, discard: Discard) {
  const { set, confirm } = useDirtyGuard()
  const latest = useRef(discard)
  useEffect(() => {
    latest.current = discard
  })
  useEffect(() => () => set(form, null), [set, form])
  const setDirty = useCallback(
    (dirty: boolean) => set(form, dirty ? () => latest.current() : null),
    [set, form],
  )
  return { setDirty, confirm: (proceed: () => void) => confirm(form, proceed) }
}

/** Asks before a tab with dirty forms is closed. */
function useAskBeforeClosing(dirty: { current: ReadonlyMap<string, Discard> }): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (dirty.current.size > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])
}

/** Keeps what is typed on this page from being lost by a link, a filter, a closed form or a closed tab. */
export function DirtyGuard({ children }: { children: ReactNode }) {
  const dirty = useRef(new Map<string, Discard>())
  const [asked, setAsked] = useState<{ form: string; proceed: () => void } | null>(null)
  const blocker = useBlocker(() => dirty.current.size > 0)
  useAskBeforeClosing(dirty)
  const set = useCallback((form: string, discard: Discard | null) => {
    if (discard) dirty.current.set(form, discard)
    else dirty.current.delete(form)
  }, [])
  const guard = useMemo(
    (): Guard => ({
      set,
      confirm: (form, proceed) => {
        if (dirty.current.has(form)) setAsked({ form, proceed })
        else proceed()
      },
    }),
    [set],
  )
  const stay = () => {
    setAsked(null)
    if (blocker.state === 'blocked') blocker.reset()
  }
  const discard = () => {
    const lost = asked ? [asked.form] : [...dirty.current.keys()]
    for (const form of lost) dirty.current.get(form)?.()
    for (const form of lost) set(form, null)
    asked?.proceed()
    setAsked(null)
    if (blocker.state === 'blocked') blocker.proceed()
  }
  return (
    <GuardContext value={guard}>
      {children}
      <Dialog
        open={asked !== null || blocker.state === 'blocked'}
        title="Leave without saving?"
        onClose={stay}
      >
        <p className="mb-6">What you typed and did not save would be lost.</p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={stay}>Keep editing</Button>
          <Button variant="outline" onClick={discard}>
            Discard changes
          </Button>
        </div>
      </Dialog>
    </GuardContext>
  )
}
